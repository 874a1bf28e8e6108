// The scalar types of MSL that random kernels compute with.
#pragma once

#include <cstdint>
#include <string>

#include "tests/random_kernels/choices.h"

namespace assay::testing {

enum class ScalarType : uint8_t {
  kUint,
  kInt,
  kUchar,
  kChar,
  kUshort,
  kShort,
  kUlong,
  kLong,
  kFloat,
  kHalf,
  kBfloat,
  kBool,
};

struct ScalarTypeInfo {
  const char* name;
  unsigned bits;
  bool is_signed;
  bool is_float;
};

const ScalarTypeInfo& info(ScalarType type);

inline bool is_integer(ScalarType type) {
  return !info(type).is_float && type != ScalarType::kBool;
}

ScalarType random_type(Choices& choices);
ScalarType random_integer(Choices& choices);
ScalarType random_float(Choices& choices);

// The unsigned type of at least 32 bits in which arithmetic of `type` may overflow.
const char* wide_unsigned(ScalarType type);

std::string random_literal(Choices& choices, ScalarType type);

// `text`, an expression of type `from`, as one of type `to`; defined for every value.
std::string convert(ScalarType to, ScalarType from, const std::string& text);

}  // namespace assay::testing
