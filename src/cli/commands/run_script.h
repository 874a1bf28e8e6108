// `assay run`: a Python program in which `import mlx.core` means assay.
#pragma once

#include "cli/command.h"

namespace assay::cli {

void add_run_command(CLI::App& root, Invocation& invocation);

}  // namespace assay::cli
