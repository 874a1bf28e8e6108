// `assay baseline`: keeps what a program's runs looked like, and fails when they get worse.
#pragma once

#include "cli/command.h"

namespace assay::cli {

void add_baseline_command(CLI::App& root, Invocation& invocation);

}  // namespace assay::cli
