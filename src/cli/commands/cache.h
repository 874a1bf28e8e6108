// `assay cache`: what the kernel cache on disk holds, and how to empty it.
#pragma once

#include "cli/command.h"

namespace assay::cli {

void add_cache_command(CLI::App& root, Invocation& invocation);

}  // namespace assay::cli
