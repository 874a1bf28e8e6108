// `assay devices`: what this machine can run kernels on.
#pragma once

#include "cli/command.h"

namespace assay::cli {

void add_devices_command(CLI::App& root, Invocation& invocation);

}  // namespace assay::cli
