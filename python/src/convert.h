// Python values to arrays and back. DLPack is in dlpack.h.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "arguments.h"

namespace assay::python {

// What mx.array(value, dtype) makes: numbers, nested lists and tuples, buffers (NumPy), DLPack
// objects, arrays.
array create_array(py::handle value, OptionalDtype dtype);
// An operand beside an array of type `weak`: Python numbers adopt that type as far as their kind
// allows, buffers are converted to it, arrays stay as they are.
array to_array(py::handle value, OptionalDtype weak = std::nullopt);
inline array to_array(const Operand& operand, OptionalDtype weak = std::nullopt) {
  return to_array(operand.value, weak);
}
// Both operands of a binary op; a number adopts the other's type.
std::pair<array, array> to_arrays(const Operand& a, const Operand& b);
std::vector<array> to_arrays(const std::vector<Operand>& operands);

// True for numbers, arrays and what can become one; comparison with anything else is plain.
bool is_array_like(py::handle value);
// An array with the type and values of an object with a buffer, or nothing if it has none.
std::optional<array> from_buffer(py::handle value, OptionalDtype dtype);
struct HostMemory;
// The memory of an object with a buffer of a type that arrays have.
std::optional<HostMemory> view_buffer(py::handle value);
array from_list(py::handle list, OptionalDtype dtype);

// Evaluates without the interpreter's lock.
void evaluate(array& a);
py::object to_scalar(const array& a);
py::object to_list(const array& a);
// NumPy array on the same memory.
py::object to_numpy(const array& a);

// PEP 3118 format of a type's elements.
const char* buffer_format(Dtype dtype);
void add_buffer_protocol(py::handle array_class);

}  // namespace assay::python
