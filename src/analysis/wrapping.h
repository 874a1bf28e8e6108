// Sums and differences of what a document says. A damaged one may hold any number: the result wraps
// around instead of being undefined.
#pragma once

#include <cstdint>

namespace assay::analysis {

constexpr int64_t wrapping_add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
constexpr int64_t wrapping_subtract(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}

}  // namespace assay::analysis
