// The two 16-bit floating-point formats, for host code that reads or writes arrays of them.
#pragma once

#include <bit>
#include <cstdint>

namespace assay {

namespace detail {
constexpr uint16_t half_bits_from_float(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u);
  // Everything from 65520 on rounds to infinity.
  if (magnitude >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {
    // Subnormal: adding 0.5 leaves the rounded value, in units of the smallest half, in the low
    // bits.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000u));
  }
  const uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
  return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

constexpr float half_bits_to_float(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  const uint32_t magnitude = half & 0x7fffu;
  if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (magnitude << 13));
  if (magnitude >= 0x0400u) return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
  const float value = static_cast<float>(magnitude) * 0x1p-24f;
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(value));
}

constexpr uint16_t bfloat_bits_from_float(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x0040u);
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
}  // namespace detail

// IEEE binary16. Arithmetic happens in float.
struct float16_t {
  uint16_t bits = 0;
  constexpr float16_t() = default;
  template <typename T>
  constexpr float16_t(T value) : bits(detail::half_bits_from_float(static_cast<float>(value))) {}
  constexpr operator float() const { return detail::half_bits_to_float(bits); }
};

// The upper half of a binary32. Arithmetic happens in float.
struct bfloat16_t {
  uint16_t bits = 0;
  constexpr bfloat16_t() = default;
  template <typename T>
  constexpr bfloat16_t(T value) : bits(detail::bfloat_bits_from_float(static_cast<float>(value))) {}
  constexpr operator float() const { return std::bit_cast<float>(uint32_t{bits} << 16); }
};

}  // namespace assay
