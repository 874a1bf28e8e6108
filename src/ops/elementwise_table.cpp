// See elementwise_table.h.
#include "ops/elementwise_table.h"

#include <stdexcept>

#include "fmt/format.h"
#include "ops/element_types.h"

namespace assay {
namespace {

using enum ElementRule;

constexpr ElementRow kRows[] = {
#define ASSAY_UNARY(name, rule, floating, integral, complex) \
  {#name, 1, rule, floating, integral, complex},
#define ASSAY_BINARY(name, rule, floating, integral, complex) \
  {#name, 2, rule, floating, integral, complex},
#include "assay/elementwise.def"
};

constexpr ElementRow kSelect = {"select", 3, kSame, "a ? b : c", "a ? b : c", "a ? b : c"};
constexpr ElementRow kConvert = {"astype", 1, kSame, "a", "a", "a"};

}  // namespace

std::string_view ElementRow::expression(Dtype operand) const {
  if (is_complex(operand)) return complex;
  return is_floating_point(operand) ? floating : integral;
}

std::span<const ElementRow> element_rows() { return kRows; }
const ElementRow& select_row() { return kSelect; }
const ElementRow& convert_row() { return kConvert; }

ElementTypes element_types(const ElementRow& row, Dtype promoted) {
  if (promoted == bool_ && row.name == "negative") {
    throw std::invalid_argument("[negative] Not supported for bool, use logical_not instead.");
  }
  // Bits of a bool can be combined, but not moved.
  if (promoted == bool_ && row.name.ends_with("_shift")) promoted = uint8;
  ElementTypes types{promoted, promoted};
  switch (row.rule) {
    case kSame: break;
    case kFloat: types.operand = types.result = at_least_float(promoted); break;
    case kReal:
      if (is_complex(promoted)) types.result = float32;
      break;
    case kPredicate: types.result = bool_; break;
    case kBoolean: types.operand = types.result = bool_; break;
    case kInteger: break;
  }
  if (row.expression(types.operand).empty()) {
    throw std::invalid_argument(
        fmt::format("[{}] Not supported for {} arrays.", row.name, dtype_name(promoted)));
  }
  return types;
}

}  // namespace assay
