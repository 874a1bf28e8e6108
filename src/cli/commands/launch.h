// `assay launch`: runs one kernel on files and values.
#pragma once

#include "cli/command.h"

namespace assay::cli {

void add_launch_command(CLI::App& root, Invocation& invocation);

}  // namespace assay::cli
