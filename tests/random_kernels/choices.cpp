// See choices.h.
#include "tests/random_kernels/choices.h"

namespace assay::testing {

uint32_t Choices::next() {
  if (is_seeded_) return static_cast<uint32_t>(random_() >> 32);
  if (bytes_.empty()) return 0;
  const uint32_t byte = bytes_.front();
  bytes_ = bytes_.subspan(1);
  return byte;
}

uint32_t Choices::below(uint32_t limit) {
  if (limit <= 1) return 0;
  uint32_t value = next();
  // A byte is enough for most decisions; larger ranges take four.
  if (!is_seeded_ && limit > 256) {
    for (int i = 0; i < 3; ++i) value = value << 8 | next();
  }
  return value % limit;
}

}  // namespace assay::testing
