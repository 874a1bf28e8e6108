// See intern.h.
#include "capture/intern.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::capture {

trace::Id InternTable::text(std::string_view text) {
  const TextIds::value_type*& recent =
      recent_[reinterpret_cast<uintptr_t>(text.data()) / 8 % recent_.size()];
  if (recent != nullptr && recent->first == text) return recent->second;
  auto known = texts_.find(text);
  if (known == texts_.end()) {
    known = texts_.emplace(text, static_cast<trace::Id>(texts_.size() + 1)).first;
    writer_.add(trace::TextRecord{known->second, known->first});
  }
  recent = &*known;
  return known->second;
}

trace::Id InternTable::launch(const kernel::LaunchSize& size) {
  if (last_launch_id_ != 0 && size == last_launch_) return last_launch_id_;
  auto sizes = [](const kernel::Size3& of) { return std::array{of.x, of.y, of.z}; };
  const bool counts_threads = size.form == kernel::LaunchForm::kThreads;
  const auto id = static_cast<trace::Id>(launches_.size() + 1);
  const auto [entry, is_new] =
      launches_.try_emplace({counts_threads, sizes(size.grid), sizes(size.threadgroup)}, id);
  if (is_new) {
    writer_.add(trace::LaunchRecord{id, counts_threads, sizes(size.grid), sizes(size.threadgroup)});
  }
  last_launch_ = size;
  last_launch_id_ = entry->second;
  return entry->second;
}

trace::Id InternTable::array(const kernel::ArrayDescription& array) {
  trace::ArrayRecord record{.id = static_cast<trace::Id>(arrays_.size() + 1),
                            .name = array.name,
                            .dtype = array.dtype,
                            .shape = fmt::format("[{}]", fmt::join(array.shape, ",")),
                            .strides = fmt::format("[{}]", fmt::join(array.strides, ","))};
  const std::string key =
      fmt::format("{}\n{}\n{}\n{}", record.dtype, record.shape, record.strides, record.name);
  const auto [entry, is_new] = arrays_.try_emplace(key, record.id);
  if (is_new) writer_.add(std::move(record));
  return entry->second;
}

}  // namespace assay::capture
