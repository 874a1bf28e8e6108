// Conversions between floating-point vectors and normalised integers packed into one word. The
// first component is in the lowest bits.
#pragma once

#include "metal_math.h"

namespace metal {
namespace __assay {

// One component of a word: `bits` wide, from bit `offset` on.
METAL_FUNC constexpr float unpack_unorm(uint word, uint offset, uint bits) {
  uint largest = (1u << bits) - 1;
  return float((word >> offset) & largest) / float(largest);
}
METAL_FUNC constexpr float unpack_snorm(uint word, uint offset, uint bits) {
  int value = int(word << (32 - offset - bits)) >> (32 - bits);
  return max(float(value) / float((1u << (bits - 1)) - 1), -1.0f);
}
// Rounded to the nearest even integer; NaN becomes the lower limit, as for clamp.
METAL_FUNC uint pack_unorm(float x, uint offset, uint bits) {
  return uint(precise::rint(clamp(x, 0.0f, 1.0f) * float((1u << bits) - 1))) << offset;
}
METAL_FUNC uint pack_snorm(float x, uint offset, uint bits) {
  int value = int(precise::rint(clamp(x, -1.0f, 1.0f) * float((1u << (bits - 1)) - 1)));
  return (uint(value) & ((1u << bits) - 1)) << offset;
}

METAL_FUNC float srgb_to_linear(float x) {
  return x <= 0.04045f ? x / 12.92f : precise::powr((x + 0.055f) / 1.055f, 2.4f);
}
METAL_FUNC float linear_to_srgb(float x) {
  x = clamp(x, 0.0f, 1.0f);
  return x < 0.0031308f ? 12.92f * x : 1.055f * precise::powr(x, 1.0f / 2.4f) - 0.055f;
}

}  // namespace __assay

// Once for float, once for half.
#define ASSAY_PACK_KIND(T, kind)                                                                \
  METAL_FUNC T##4 unpack_##kind##4x8_to_##T(uint x) {                                           \
    return T##4(__assay::unpack_##kind(x, 0, 8), __assay::unpack_##kind(x, 8, 8),                 \
                __assay::unpack_##kind(x, 16, 8), __assay::unpack_##kind(x, 24, 8));              \
  }                                                                                             \
  METAL_FUNC T##2 unpack_##kind##2x16_to_##T(uint x) {                                          \
    return T##2(__assay::unpack_##kind(x, 0, 16), __assay::unpack_##kind(x, 16, 16));             \
  }                                                                                             \
  METAL_FUNC uint pack_##T##_to_##kind##4x8(T##4 x) {                                           \
    return __assay::pack_##kind(x.x, 0, 8) | __assay::pack_##kind(x.y, 8, 8) |                    \
           __assay::pack_##kind(x.z, 16, 8) | __assay::pack_##kind(x.w, 24, 8);                   \
  }                                                                                             \
  METAL_FUNC uint pack_##T##_to_##kind##2x16(T##2 x) {                                          \
    return __assay::pack_##kind(x.x, 0, 16) | __assay::pack_##kind(x.y, 16, 16);                  \
  }
#define ASSAY_PACK_FUNCTIONS(T)                                                                 \
  ASSAY_PACK_KIND(T, unorm)                                                                     \
  ASSAY_PACK_KIND(T, snorm)                                                                     \
  METAL_FUNC T##4 unpack_unorm4x8_srgb_to_##T(uint x) {                                         \
    return T##4(__assay::srgb_to_linear(__assay::unpack_unorm(x, 0, 8)),                          \
                __assay::srgb_to_linear(__assay::unpack_unorm(x, 8, 8)),                          \
                __assay::srgb_to_linear(__assay::unpack_unorm(x, 16, 8)),                         \
                __assay::unpack_unorm(x, 24, 8));                                                \
  }                                                                                             \
  METAL_FUNC uint pack_##T##_to_srgb_unorm4x8(T##4 x) {                                         \
    return __assay::pack_unorm(__assay::linear_to_srgb(x.x), 0, 8) |                              \
           __assay::pack_unorm(__assay::linear_to_srgb(x.y), 8, 8) |                              \
           __assay::pack_unorm(__assay::linear_to_srgb(x.z), 16, 8) |                             \
           __assay::pack_unorm(x.w, 24, 8);                                                      \
  }                                                                                             \
  METAL_FUNC T##4 unpack_unorm10a2_to_##T(uint x) {                                             \
    return T##4(__assay::unpack_unorm(x, 0, 10), __assay::unpack_unorm(x, 10, 10),                \
                __assay::unpack_unorm(x, 20, 10), __assay::unpack_unorm(x, 30, 2));               \
  }                                                                                             \
  METAL_FUNC uint pack_##T##_to_unorm10a2(T##4 x) {                                             \
    return __assay::pack_unorm(x.x, 0, 10) | __assay::pack_unorm(x.y, 10, 10) |                   \
           __assay::pack_unorm(x.z, 20, 10) | __assay::pack_unorm(x.w, 30, 2);                    \
  }                                                                                             \
  METAL_FUNC T##3 unpack_unorm565_to_##T(ushort x) {                                            \
    return T##3(__assay::unpack_unorm(x, 0, 5), __assay::unpack_unorm(x, 5, 6),                   \
                __assay::unpack_unorm(x, 11, 5));                                                \
  }                                                                                             \
  METAL_FUNC ushort pack_##T##_to_unorm565(T##3 x) {                                            \
    return ushort(__assay::pack_unorm(x.x, 0, 5) | __assay::pack_unorm(x.y, 5, 6) |               \
                  __assay::pack_unorm(x.z, 11, 5));                                              \
  }
ASSAY_PACK_FUNCTIONS(float)
ASSAY_PACK_FUNCTIONS(half)
#undef ASSAY_PACK_FUNCTIONS
#undef ASSAY_PACK_KIND

}  // namespace metal
