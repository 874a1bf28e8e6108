// When the device worked and when it did not: phases of a run, the union of all queues' work, and
// the gaps in it with what the host did meanwhile.
#pragma once

#include <span>
#include <vector>

#include "analysis/report/timeline.h"

namespace assay::analysis {

// The device had nothing to do.
struct Gap {
  TimeRange time = {};
  // The host's call that ended last before or in the gap's beginning (a wait or a read), and the
  // one that brings the next work; -1 for none. Indexes of Timeline::spans.
  int before = -1;
  int after = -1;
  // How much of it the host spent on that.
  int64_t build_ns = 0;
  int64_t encode_ns = 0;  // without compilations
  int64_t compile_ns = 0;
  // That the next work consists of.
  int64_t commands = 0;

  // What it took the host to ask for them: calls of ops and encoding, without what else the program
  // does between its first op and the evaluation.
  int64_t asking_ns() const;
};

// One unit of work that the host hands over: an eval, or a command buffer where no spans are.
struct Evaluation {
  TimeRange encode;
  trace::Id site = 0;
  bool has_compilation = false;
};

struct Activity {
  std::vector<Phase> phases;
  TimeRange window;                     // the steady phase
  std::vector<Evaluation> evaluations;  // of the window
  std::vector<TimeRange> busy;          // of the window: the union, in order
  std::vector<Gap> gaps;                // of the window
  int64_t busy_ns = 0;
  std::vector<const TimedCommand*> commands;  // that begin in the window
  std::vector<const TimedSpan*> spans;        // likewise

  int64_t idle_ns() const { return window.length() - busy_ns; }
  double share(int64_t ns) const {
    return window.length() > 0 ? static_cast<double>(ns) / static_cast<double>(window.length()) : 0;
  }
};

// The union of ranges, in order.
std::vector<TimeRange> join_ranges(std::vector<TimeRange> ranges);

// The timeline must outlive the result.
Activity find_activity(const Timeline& timeline);

}  // namespace assay::analysis
