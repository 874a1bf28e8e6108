// The rows of assay/elementwise.def as data.
#pragma once

#include <span>
#include <string_view>

#include "assay/dtype.h"

namespace assay {

enum class ElementRule : uint8_t { kSame, kFloat, kReal, kPredicate, kBoolean, kInteger };

struct ElementRow {
  std::string_view name;
  uint8_t arity;
  ElementRule rule;
  // MSL expressions over a, b, c; empty where the op has no meaning.
  std::string_view floating, integral, complex;

  std::string_view expression(Dtype operand) const;
};

// What the operands are converted to, and what comes out.
struct ElementTypes {
  Dtype operand, result;
};

std::span<const ElementRow> element_rows();
// Throws std::invalid_argument where the row has no expression for operands of that type.
ElementTypes element_types(const ElementRow& row, Dtype promoted);
// Picks `b` where `a` is true, else `c`; not in the table since its operands differ in type.
const ElementRow& select_row();
// Conversion to the step's own type.
const ElementRow& convert_row();

}  // namespace assay
