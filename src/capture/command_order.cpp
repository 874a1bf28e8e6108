// See command_order.h.
#include "capture/command_order.h"

#include <algorithm>

namespace assay::capture {

using trace::DependencyKind;
using trace::DependencyRecord;

std::vector<DependencyRecord> CommandOrder::add(trace::Id command, uint64_t queue,
                                                const std::vector<Range>& ranges) {
  std::vector<DependencyRecord> needs;
  for (const Range& range : ranges) {
    for (const Access& access : accesses_[range.buffer]) {
      if (access.end <= range.begin || range.end <= access.begin) continue;
      auto need = [&](DependencyKind kind) {
        needs.push_back({command, access.command, kind, range.buffer});
      };
      if (access.is_write && range.is_read) need(DependencyKind::kReadAfterWrite);
      if (access.is_write && range.is_written && !range.is_read) {
        need(DependencyKind::kWriteAfterWrite);
      }
      if (!access.is_write && range.is_written) need(DependencyKind::kWriteAfterRead);
    }
  }
  for (const Range& range : ranges) {
    std::vector<Access>& known = accesses_[range.buffer];
    // A later access of the same queue stands for an earlier one that it covers; a write for
    // everything it covers.
    std::erase_if(known, [&](const Access& access) {
      const bool is_covered = range.begin <= access.begin && access.end <= range.end;
      const bool is_same_read = !access.is_write && range.is_read && access.queue == queue;
      return is_covered && access.command != command && (range.is_written || is_same_read);
    });
    known.push_back({range.begin, range.end, command, queue, range.is_written});
  }
  return needs;
}

std::vector<DependencyRecord> CommandOrder::add_wait(trace::Id command, uint64_t event,
                                                     uint64_t value) {
  const auto known = signals_.find(event);
  if (known == signals_.end()) return {};
  const auto signal = known->second.lower_bound(value);
  if (signal == known->second.end()) return {};
  return {{command, signal->second, DependencyKind::kEvent, 0}};
}

void CommandOrder::add_signal(trace::Id command, uint64_t event, uint64_t value) {
  signals_[event].emplace(value, command);
}

void CommandOrder::forget(trace::Id buffer) { accesses_.erase(buffer); }

}  // namespace assay::capture
