// x[index], x[index] = value and x.at[index].
#pragma once

#include "arguments.h"

namespace assay::python {

array get_item(const array& source, py::handle index);
void set_item(array& source, py::handle index, py::handle value);

enum class UpdateKind : uint8_t {
  kAssign,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kMaximum,
  kMinimum
};
// A copy with `value` written to or combined with the elements at `index`. Elements that the index
// names several times are combined several times.
array update_item(const array& source, py::handle index, py::handle value, UpdateKind kind);

}  // namespace assay::python
