// What a replay will run and how much memory that takes, found out before anything runs.
#pragma once

#include <cstdint>
#include <limits>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/result.h"
#include "replay/trace_tables.h"
#include "trace/document.h"

namespace assay::replay {

// Command numbers, both included.
struct CommandRange {
  Id first = 1;
  Id last = std::numeric_limits<Id>::max();
  bool contains(Id command) const { return first <= command && command <= last; }
};

struct ReplayPlan {
  CommandRange range;
  uint64_t commands = 0;                // of the range, without waits and signals
  std::unordered_set<Id> earlier = {};  // commands before the range whose results it needs
  std::set<Id> kernels = {};

  // Commands between which a buffer is in use.
  struct Lifetime {
    Id first = 0;
    Id last = 0;
  };
  std::unordered_map<Id, Lifetime> buffers = {};
  uint64_t peak_bytes = 0;  // of buffers that are in use at once
  Id peak_command = 0;
  uint64_t peak_buffers = 0;
  uint64_t largest_result_bytes = 0;  // of one command

  bool runs(Id command) const { return range.contains(command) || earlier.contains(command); }
};

// Reads and checks every command of the document.
Result<ReplayPlan> make_plan(const trace::Document& document, const TraceTables& tables,
                             const CommandRange& range);

}  // namespace assay::replay
