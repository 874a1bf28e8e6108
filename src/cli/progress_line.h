// One line on standard error that says how far a long command is, where somebody looks at it.
#pragma once

#include <chrono>
#include <string>

#include "cli/console.h"

namespace assay::cli {

// Nothing appears unless standard error is a terminal and the work takes a while.
class ProgressLine {
 public:
  explicit ProgressLine(const Console& console);
  // Takes the line away.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Cheap enough to be called for every piece of work.
  void show(std::string_view activity, uint64_t done, uint64_t total);

 private:
  const Console& console_;
  const bool is_terminal_;
  std::chrono::steady_clock::time_point next_;
  bool is_shown_ = false;
};

}  // namespace assay::cli
