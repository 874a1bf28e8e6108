// MSL's scalar types as the command line meets them: in argument types that reflection reports and
// in values that the user writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay::cli {

enum class NumberKind : uint8_t { kBool, kSigned, kUnsigned, kFloat };

struct ScalarType {
  std::string_view name;  // "uint"
  NumberKind kind = NumberKind::kFloat;
  uint32_t bytes = 0;
};

// A scalar or a vector of 2 to 4; a vector of 3 takes the room of 4.
struct ValueType {
  ScalarType scalar;
  uint32_t components = 1;

  std::string name() const;
  uint32_t bytes() const { return scalar.bytes * (components == 3 ? 4 : components); }
};

// "float", "ushort2", also "uint32_t" and the like. Nothing for other types.
std::optional<ValueType> find_value_type(std::string_view name);

// What lies behind a kernel argument: "const device float*", "constant uint&", "device
// atomic_uint*". Nothing for structs and everything else that is not plain numbers.
std::optional<ValueType> find_element_type(std::string_view argument_type);

// "1,2.5" for a float2 → 8 bytes. Integers may be written 0x…; floats also inf and nan.
Result<std::vector<std::byte>> parse_value(const ValueType& type, std::string_view text);

// The bits of a floating-point type, rounded to nearest.
uint64_t float_bits(const ScalarType& type, double value);

// bfloat holds the upper half of a float.
uint16_t bfloat_bits(float value);
float bfloat_value(uint16_t bits);

}  // namespace assay::cli
