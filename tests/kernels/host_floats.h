// MSL's floats of 16 bits as tests' own code sees them.
#pragma once

#include <cstdint>
#include <cstring>

namespace assay::testing {

using Half = _Float16;

struct Bfloat {
  uint16_t bits = 0;
  Bfloat() = default;
  explicit Bfloat(float value) {
    uint32_t wide;
    std::memcpy(&wide, &value, sizeof(wide));
    wide += 0x7fff + (wide >> 16 & 1);
    bits = static_cast<uint16_t>(wide >> 16);
  }
  explicit operator float() const {
    const uint32_t wide = uint32_t{bits} << 16;
    float value;
    std::memcpy(&value, &wide, sizeof(value));
    return value;
  }
};

}  // namespace assay::testing
