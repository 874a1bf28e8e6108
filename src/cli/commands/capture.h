// `assay capture`: runs a program and captures its work, without a change of the program.
#pragma once

#include "cli/command.h"

namespace assay::cli {

void add_capture_command(CLI::App& root, Invocation& invocation);

}  // namespace assay::cli
