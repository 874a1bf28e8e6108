// See duration_statistics.h.
#include "analysis/duration_statistics.h"

#include <algorithm>
#include <bit>

#include "analysis/wrapping.h"

namespace assay::analysis {
namespace {

constexpr size_t kMaxExact = 1000;
// A bucket is 1/64 of a power of two wide: its middle is within 0.8 % of what is in it.
constexpr int kBits = 6;

}  // namespace

int64_t DurationStatistics::bucket_of(int64_t ns) {
  const auto value = static_cast<uint64_t>(std::max<int64_t>(ns, 0));
  const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - kBits - 1);
  return (static_cast<int64_t>(shift) << (kBits + 1)) + static_cast<int64_t>(value >> shift);
}

int64_t DurationStatistics::middle_of(int64_t bucket) {
  const int64_t shift = bucket >> (kBits + 1);
  const int64_t top = bucket & ((1 << (kBits + 1)) - 1);
  return (top << shift) + ((int64_t{1} << shift) >> 1);
}

void DurationStatistics::add(int64_t ns) {
  min_ = count_ == 0 ? ns : std::min(min_, ns);
  max_ = count_ == 0 ? ns : std::max(max_, ns);
  total_ = wrapping_add(total_, ns);
  ++count_;
  if (histogram_.empty()) {
    values_.push_back(ns);
    if (values_.size() <= kMaxExact) return;
    for (const int64_t value : values_) ++histogram_[bucket_of(value)];
    values_ = {};
  } else {
    ++histogram_[bucket_of(ns)];
  }
}

int64_t DurationStatistics::median() const {
  if (count_ == 0) return 0;
  if (!values_.empty()) {
    std::vector<int64_t> sorted = values_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
    std::ranges::nth_element(sorted, middle);
    return *middle;
  }
  int64_t before = 0;
  for (const auto& [bucket, count] : histogram_) {
    before += count;
    if (2 * before >= count_) return std::clamp(middle_of(bucket), min_, max_);
  }
  return max_;
}

}  // namespace assay::analysis
