// Messages of kernels as text.
#pragma once

#include "kernel/dispatch.h"
#include "kernel/print.h"

namespace assay::device {

// The message with its numbers in place, as printf would write it: flags, width, precision and
// length letters are understood, %vN takes N words. What does not fit a conversion is shown as what
// it is; a conversion without a word stays as it is written. Trailing line ends are dropped.
std::string format_message(const kernel::PrintRecord& record);

// In the order of threadgroups, of threads, and of the messages of each thread.
std::vector<kernel::PrintedLine> make_lines(std::span<const kernel::PrintRecord> records,
                                            const kernel::LaunchSize& size);

}  // namespace assay::device
