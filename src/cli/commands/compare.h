// `assay compare`: a custom kernel against a reference, over sizes, dtypes, layouts and
// threadgroups.
#pragma once

#include "cli/command.h"

namespace assay::cli {

void add_compare_command(CLI::App& root, Invocation& invocation);

}  // namespace assay::cli
