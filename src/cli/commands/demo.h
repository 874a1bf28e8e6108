// `assay demo`: runs the sample kernels and compares them with plain C++.
#pragma once

#include "cli/command.h"

namespace assay::cli {

void add_demo_command(CLI::App& root, Invocation& invocation);

}  // namespace assay::cli
