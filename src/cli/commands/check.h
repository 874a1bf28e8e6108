// `assay check`: runs a program, a kernel or a captured run under checks and tells what is wrong.
#pragma once

#include "cli/command.h"

namespace assay::cli {

void add_check_command(CLI::App& root, Invocation& invocation);

}  // namespace assay::cli
