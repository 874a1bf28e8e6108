// The types that elements of buffers have, by the names that arrays and MSL give them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace assay::replay {

enum class ElementType : uint8_t {
  kByte,  // nothing is known
  kBool,
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat16,
  kBfloat16,
  kFloat32,
  kFloat64,
  kComplex64,
};

size_t element_bytes(ElementType type);
bool is_floating(ElementType type);
// As arrays call it: "float32".
std::string_view element_name(ElementType type);

// "float32"; nothing for another text.
std::optional<ElementType> find_dtype(std::string_view name);
// The scalar in a parameter's type: float32 for "device const float4*" and "device atomic_float*".
std::optional<ElementType> find_msl_type(std::string_view type);

// One element, or one of the two parts of a complex number.
double float_value(ElementType type, std::span<const std::byte> bytes);
// Steps between two numbers of a floating type; nothing where one is NaN and the other is not the
// same.
std::optional<uint64_t> ulp_distance(ElementType type, std::span<const std::byte> a,
                                     std::span<const std::byte> b);

// "1.5"; with the bits where the number alone does not tell (NaN).
std::string element_text(ElementType type, std::span<const std::byte> bytes);

}  // namespace assay::replay
