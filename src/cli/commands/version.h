// `assay version`: the version of the program.
#pragma once

#include "cli/command.h"

namespace assay::cli {

void add_version_command(CLI::App& root, Invocation& invocation);

}  // namespace assay::cli
