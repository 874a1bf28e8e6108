// `assay compile`: compiles MSL files and shows what is in them.
#pragma once

#include "cli/command.h"

namespace assay::cli {

void add_compile_command(CLI::App& root, Invocation& invocation);

}  // namespace assay::cli
