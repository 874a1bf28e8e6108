// See ordering.h.
#include "sanitizer/checks/ordering.h"

#include <fmt/format.h>

#include <algorithm>

#include "sanitizer/command_finding.h"

namespace assay::sanitizer {
namespace {

// Older accesses of a buffer are forgotten: a conflict with one of them is one with a newer one
// too, but for programs that use hundreds of queues.
constexpr size_t kMaxAccesses = 64;

std::string describe(const kernel::CommandDescription& command) {
  switch (command.kind) {
    case kernel::CommandKind::kFill: return "a fill";
    case kernel::CommandKind::kCopy: return "a copy";
    case kernel::CommandKind::kMatrixProduct: return "a matrix product";
    default: break;
  }
  return command.kernel == nullptr ? "a command" : fmt::format("kernel '{}'", command.kernel->name);
}

// The part of the buffer that the array at this slot covers.
std::pair<uint64_t, uint64_t> used_range(const kernel::CommandDescription& command,
                                         const kernel::BindingDescription& binding) {
  for (const kernel::ArrayDescription& array : command.arrays) {
    if (array.slot != binding.slot) continue;
    return {binding.offset + static_cast<uint64_t>(array.low),
            binding.offset + static_cast<uint64_t>(array.high)};
  }
  const uint64_t end = binding.offset + binding.bytes;
  // Matrices may lie before the bound place.
  const bool is_operand = command.product != nullptr && binding.access == kernel::Access::kRead;
  return {is_operand ? 0 : binding.offset, end};
}

}  // namespace

void OrderingCheck::join(Clock& clock, const Clock& other) {
  for (const auto& [queue, time] : other) {
    uint64_t& mine = clock[queue];
    mine = std::max(mine, time);
  }
}

void OrderingCheck::on_submit(const kernel::SubmitDescription& submit) {
  starts_[submit.command_buffer_id] = completed_;
}

void OrderingCheck::on_complete(const kernel::SubmitDescription& submit) {
  join(completed_, queues_[submit.queue_id]);
  starts_.erase(submit.command_buffer_id);
}

void OrderingCheck::start(const kernel::CommandDescription& command) {
  const auto found = starts_.find(command.command_buffer_id);
  if (found == starts_.end()) return;
  join(queues_[command.queue_id], found->second);
  starts_.erase(found);
}

void OrderingCheck::on_end(const kernel::CommandDescription& command) {
  if (command.kind != kernel::CommandKind::kWait) return;
  // Whoever raised the event first to what was waited for.
  const auto& values = signals_[command.event_id];
  const auto found = values.lower_bound(command.event_value);
  if (found != values.end()) join(queues_[command.queue_id], found->second);
}

void OrderingCheck::forget(uint64_t buffer) { accesses_.erase(buffer); }

void OrderingCheck::add(const kernel::BindingDescription& binding, Access access) {
  std::vector<Access>& accesses = accesses_[binding.buffer_id];
  // What this queue did to the same bytes before is covered by what it does now.
  std::erase_if(accesses, [&](const Access& old) {
    return old.queue == access.queue && old.begin >= access.begin && old.end <= access.end &&
           (access.is_write || !old.is_write);
  });
  if (accesses.size() == kMaxAccesses) accesses.erase(accesses.begin());
  accesses.push_back(std::move(access));
}

std::vector<Finding> OrderingCheck::on_begin(const kernel::CommandDescription& command) {
  start(command);
  Clock& clock = queues_[command.queue_id];
  const uint64_t time = ++clock[command.queue_id];
  if (command.kind == kernel::CommandKind::kSignal) {
    signals_[command.event_id][command.event_value] = clock;
    return {};
  }
  std::vector<Finding> findings;
  for (const kernel::BindingDescription& binding : command.bindings) {
    const bool is_used = binding.kind == kernel::BindingKind::kBuffer &&
                         binding.access != kernel::Access::kNone && binding.bytes != 0;
    if (!is_used) continue;
    const auto [begin, end] = used_range(command, binding);
    Access mine{.begin = begin,
                .end = end,
                .queue = command.queue_id,
                .time = time,
                .is_write = binding.access != kernel::Access::kRead,
                .what = describe(command),
                .origin = std::string(command.origin)};
    for (const Access& other : accesses_[binding.buffer_id]) {
      const bool overlaps = other.begin < end && begin < other.end;
      const bool is_ordered = other.queue == mine.queue || clock[other.queue] >= other.time;
      if (!overlaps || is_ordered || !(other.is_write || mine.is_write)) continue;
      const std::string name = argument_name(command, binding.slot);
      if (reported_[mine.what + name + other.what]++ != 0) continue;
      Finding finding = begin_finding("missing-ordering", command);
      finding.message = fmt::format(
          "{} {} {}while {} of another queue{} {} it, and nothing orders them", mine.what,
          mine.is_write ? "writes" : "reads",
          name.empty() ? std::string("memory ") : fmt::format("'{}' ", name), other.what,
          other.origin.empty() ? std::string() : fmt::format(" ({})", other.origin),
          other.is_write ? "writes" : "reads");
      finding.fix = "signal an event behind the first and wait for it before the second";
      findings.push_back(std::move(finding));
    }
    add(binding, std::move(mine));
  }
  return findings;
}

}  // namespace assay::sanitizer
