// Which command has to run behind which: by the memory they share and the events between queues.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "trace/records.h"

namespace assay::capture {

// Not thread-safe. Commands are told in the order they end.
class CommandOrder {
 public:
  struct Range {
    trace::Id buffer = 0;
    int64_t begin = 0, end = 0;  // bytes
    bool is_read = false, is_written = false;
  };

  // What the command needs; notes what it does itself.
  std::vector<trace::DependencyRecord> add(trace::Id command, uint64_t queue,
                                           const std::vector<Range>& ranges);
  std::vector<trace::DependencyRecord> add_wait(trace::Id command, uint64_t event, uint64_t value);
  void add_signal(trace::Id command, uint64_t event, uint64_t value);
  // Nobody will use the buffer again.
  void forget(trace::Id buffer);

 private:
  struct Access {
    int64_t begin, end;
    trace::Id command;
    uint64_t queue;
    bool is_write;
  };

  std::unordered_map<trace::Id, std::vector<Access>> accesses_;          // by buffer
  std::unordered_map<uint64_t, std::map<uint64_t, trace::Id>> signals_;  // by event, by value
};

}  // namespace assay::capture
