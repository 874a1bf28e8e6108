// See progress_line.h.
#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

namespace assay::cli {
namespace {

constexpr auto kFirst = std::chrono::milliseconds(500);
constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr const char* kClearLine = "\r\033[K";

}  // namespace

ProgressLine::ProgressLine(const Console& console)
    : console_(console),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      next_(std::chrono::steady_clock::now() + kFirst) {}

ProgressLine::~ProgressLine() {
  if (is_shown_) console_.print_aside(kClearLine);
}

void ProgressLine::show(std::string_view activity, uint64_t done, uint64_t total) {
  if (!is_terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  is_shown_ = true;
  console_.print_aside(fmt::format("{}{} {} of {}", kClearLine, activity, done + 1, total));
}

}  // namespace assay::cli
