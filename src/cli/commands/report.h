// `assay report`: why a program is slow, in words and figures.
#pragma once

#include "cli/command.h"

namespace assay::cli {

void add_report_command(CLI::App& root, Invocation& invocation);

}  // namespace assay::cli
