// Where a generator's decisions come from: a seed, or the bytes of a fuzzer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace assay::testing {

// The same seed or bytes give the same decisions on every machine. After the last byte every
// decision is 0, which generators take for the simplest option, so that they come to an end.
class Choices {
 public:
  explicit Choices(uint64_t seed) : random_(seed), is_seeded_(true) {}
  explicit Choices(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  // A number from 0 to limit - 1.
  uint32_t below(uint32_t limit);
  bool chance(uint32_t percent) { return below(100) >= 100 - percent; }
  template <typename T, size_t count>
  const T& pick(const T (&options)[count]) {
    return options[below(count)];
  }

 private:
  uint32_t next();

  std::mt19937_64 random_;
  bool is_seeded_ = false;
  std::span<const uint8_t> bytes_;
};

}  // namespace assay::testing
