// `assay record`: runs a program and records a timeline of it and of the programs it starts.
#pragma once

#include "cli/command.h"

namespace assay::cli {

void add_record_command(CLI::App& root, Invocation& invocation);

}  // namespace assay::cli
