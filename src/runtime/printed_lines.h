// What kernels print, for people.
#pragma once

#include <string>

#include "kernel/print.h"

namespace assay::runtime {

// The call site once, then each message behind the position of its thread in the grid.
std::string printed_text(const kernel::PrintedLines& printed);

// Writes it to standard error, as one piece.
void show_printed_lines(const kernel::PrintedLines& printed);

}  // namespace assay::runtime
