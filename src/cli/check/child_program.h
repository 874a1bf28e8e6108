// Starts the user's program beside this one and waits for it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace assay::cli {

// Returns its exit code; 128 and the number of the signal for one that was killed, as shells do.
// Input, output and signals of the terminal are the program's own. `command` as in start_program.
Result<int> run_child_program(const std::vector<std::string>& command);

}  // namespace assay::cli
