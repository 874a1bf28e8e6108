// `assay view`: traces in a browser, or as one page in a file.
#pragma once

#include "cli/command.h"

namespace assay::cli {

void add_view_command(CLI::App& root, Invocation& invocation);

}  // namespace assay::cli
