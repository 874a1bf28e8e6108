// See buffer_table.h.
#include "replay/buffer_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/ensure.h"
#include "base/format.h"

namespace assay::replay {
namespace {

// Buffers of this size have pages around them that nobody may touch: a launch size that is wrong in
// a damaged document makes a kernel fail instead of changing other memory of this process.
constexpr uint64_t kGuardedBytes = uint64_t{1} << 20;
constexpr uint64_t kClearedBytes = 4096;

Result<void> check_memory(const trace::Document& document, const ReplayPlan& plan,
                          const device::Device& device) {
  // The results of one command are kept as they were before it and behind it.
  const uint64_t needed = plan.peak_bytes + 2 * plan.largest_result_bytes;
  const uint64_t available = device.limits().total_memory_bytes;
  if (needed <= available) return {};
  return Error{fmt::format(
      "replaying '{}' takes {} of memory (most of it at command {}), and the device has {}; replay "
      "a part with --only A..B, or use a machine with more memory",
      document.path(), base::format_bytes(needed), plan.peak_command,
      base::format_bytes(available))};
}

}  // namespace

Result<BufferTable> BufferTable::create(const trace::Document& document, const TraceTables& tables,
                                        const ReplayPlan& plan, device::Device& device) {
  if (const Result<void> fits = check_memory(document, plan, device); !fits) return fits.error();
  BufferTable table(document, tables, device);
  for (const auto& [buffer, life] : plan.buffers) table.ends_[life.last].push_back(buffer);
  const uint64_t budget = device.limits().total_memory_bytes / 4;
  if (plan.peak_buffers <= budget / kGuardedBytes) table.least_bytes_ = kGuardedBytes;
  return table;
}

Result<std::shared_ptr<device::Buffer>> BufferTable::use(Id buffer) {
  if (const auto known = buffers_.find(buffer); known != buffers_.end()) return known->second;
  const trace::BufferRecord& record = tables_->buffers.at(buffer);
  Result<trace::Document::Content> content =
      document_->content(*record.first_content, record.bytes);
  if (!content) return content.error();
  const auto bytes = static_cast<uint64_t>(record.bytes);
  // Checked when the tables were loaded, and the file may have changed since.
  if (content->bytes.size() != bytes) {
    return document_->error(fmt::format("content {} has changed", *record.first_content));
  }
  Result<std::shared_ptr<device::Buffer>> made =
      device_->allocate(std::max(bytes, least_bytes_), tables_->texts.at(record.label));
  if (!made) return made.error();
  std::memcpy((*made)->data(), content->bytes.data(), bytes);
  // A kernel that reads a little too far does not see what an earlier buffer left: replays repeat.
  std::memset((*made)->data() + bytes, 0, std::min(kClearedBytes, (*made)->size() - bytes));
  buffers_.emplace(buffer, *made);
  return *made;
}

void BufferTable::end_command(Id command) {
  const auto ended = ends_.find(command);
  if (ended == ends_.end()) return;
  for (const Id buffer : ended->second) buffers_.erase(buffer);
  ends_.erase(ended);
}

std::span<std::byte> BufferTable::range(const trace::BindingRecord& binding) {
  const auto known = buffers_.find(*binding.buffer);
  ASSAY_ENSURE(known != buffers_.end(), "a buffer is looked at outside of its life");
  return known->second->contents().subspan(
      static_cast<size_t>(binding.range_begin),
      static_cast<size_t>(binding.range_end - binding.range_begin));
}

}  // namespace assay::replay
