// See printed_lines.h.
#include "runtime/printed_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/tell_user.h"

namespace assay::runtime {
namespace {

// Positions show as many axes as the lines need.
size_t count_axes(const kernel::PrintedLines& printed) {
  size_t axes = 1;
  for (const kernel::PrintedLine& line : printed.lines) {
    for (size_t axis = axes; axis < 3; ++axis) {
      if (line.thread_position_in_grid[axis] != 0) axes = axis + 1;
    }
  }
  return axes;
}

}  // namespace

std::string printed_text(const kernel::PrintedLines& printed) {
  std::string text = printed.origin.empty()
                         ? fmt::format("kernel '{}':\n", printed.kernel)
                         : fmt::format("{}: kernel '{}':\n", printed.origin, printed.kernel);
  const size_t axes = count_axes(printed);
  for (const kernel::PrintedLine& line : printed.lines) {
    const auto* position = line.thread_position_in_grid;
    text += fmt::format("  [{}] {}\n", fmt::join(position, position + axes, ","), line.text);
  }
  if (printed.dropped != 0) {
    text += fmt::format("  and {} more; the first {} of a launch are shown\n", printed.dropped,
                        printed.lines.size());
  }
  return text;
}

void show_printed_lines(const kernel::PrintedLines& printed) { tell_user(printed_text(printed)); }

}  // namespace assay::runtime
