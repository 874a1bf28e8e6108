// See argument_type.h.
#include "cli/argument_type.h"

#include <fmt/format.h>

#include "cli/reflection_text.h"

namespace assay::cli {
namespace {

std::string_view numpy_name(const ScalarType& scalar) {
  using base::NpyType;
  static constexpr NpyType kSigned[] = {NpyType::kInt8, NpyType::kInt16, NpyType::kInt32,
                                        NpyType::kInt64};
  static constexpr NpyType kUnsigned[] = {NpyType::kUint8, NpyType::kUint16, NpyType::kUint32,
                                          NpyType::kUint64};
  size_t power = 0;
  while (1u << power < scalar.bytes) ++power;
  if (scalar.kind == NumberKind::kBool) return "bool";
  if (scalar.name == "half") return "float16";
  if (scalar.name == "float") return "float32";
  return base::npy_type_info(scalar.kind == NumberKind::kSigned ? kSigned[power] : kUnsigned[power])
      .name;
}

}  // namespace

std::string argument_text(const kernel::Argument& argument) {
  return fmt::format("'{}' ({}, {})", argument.name, place_text(argument), argument.type);
}

bool is_read_only(const kernel::Argument& argument) {
  return argument.address_space == kernel::AddressSpace::kConstant ||
         argument.type.find("const ") != std::string::npos;
}

TypeFit compare_type(const kernel::Argument& argument, const ArrayType& type) {
  const std::optional<ValueType> element = find_element_type(argument.type);
  if (!element) return {};
  const ScalarType& scalar = element->scalar;
  TypeFit fit{.scalar = scalar, .wanted = numpy_name(scalar)};
  fit.has_right_size =
      type.bytes() == scalar.bytes || type.bytes() == scalar.bytes * element->components;
  const bool wants_float = scalar.kind == NumberKind::kFloat;
  const bool is_raw_bits = type.storage == base::NpyType::kUint16 && scalar.name == "bfloat";
  const bool is_same_float = !wants_float || scalar.bytes != 2 ||
                             type.is_bfloat == (scalar.name == "bfloat") || is_raw_bits;
  fit.has_right_kind = (type.is_float() == wants_float || is_raw_bits) && is_same_float;
  return fit;
}

}  // namespace assay::cli
