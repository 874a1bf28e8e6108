// All commands of the program, in the order of the help text.
#pragma once

#include <span>

#include "cli/command.h"

namespace assay::cli {

using AddCommand = void (*)(CLI::App& root, Invocation& invocation);

std::span<const AddCommand> command_table();

}  // namespace assay::cli
