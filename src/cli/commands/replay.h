// assay replay: runs a captured trace again, compares and times it.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/command.h"

namespace assay::cli {

void add_replay_command(CLI::App& root, Invocation& invocation);

}  // namespace assay::cli
