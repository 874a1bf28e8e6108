// Numbers, operands and values; lists are in from_list.cpp, buffers in buffer.cpp.
#include "convert.h"

#include <limits>

#include "assay/ops.h"
#include "dlpack.h"
#include "interpreter.h"
#include "pybind11/complex.h"

namespace assay::python {
namespace {

constexpr bool fits_int32(long long value) {
  return value >= std::numeric_limits<int32_t>::min() &&
         value <= std::numeric_limits<int32_t>::max();
}

// Only uint64 holds what lies beyond int64.
array from_int(py::handle value, OptionalDtype dtype) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow > 0) {
    const unsigned long long large = PyLong_AsUnsignedLongLong(value.ptr());
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    return array(large, dtype.value_or(uint64));
  }
  if (overflow < 0 || (number == -1 && PyErr_Occurred() != nullptr)) {
    if (PyErr_Occurred() == nullptr) {
      PyErr_SetString(PyExc_OverflowError, "Python integer does not fit into 64 bits.");
    }
    throw py::error_already_set();
  }
  return array(number, dtype.value_or(fits_int32(number) ? int32 : int64));
}

array from_weak_int(py::handle value, Dtype weak) {
  if (weak == bool_) return from_int(value, std::nullopt);
  if (issubdtype(weak, integer) && weak.size() < 8) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    const iinfo limits(weak);
    if (overflow != 0 || number < limits.min || number > static_cast<long long>(limits.max)) {
      throw std::invalid_argument("Converting " + py::str(value).cast<std::string>() + " to " +
                                  std::string(dtype_name(weak)) + " would result in overflow.");
    }
  }
  return from_int(value, weak);
}

array from_complex(py::handle value, Dtype dtype) {
  return array(value.cast<std::complex<float>>(), dtype);
}

// An object that says itself how it becomes an array.
array from_accessor(py::handle value) {
  if (py::hasattr(value, "__mlx_array__")) return value.attr("__mlx_array__")().cast<array>();
  throw std::invalid_argument(std::string("Invalid type ") + Py_TYPE(value.ptr())->tp_name +
                              " received in array initialization.");
}

std::optional<array> from_memory(py::handle value, OptionalDtype dtype) {
  if (std::optional<array> made = from_buffer(value, dtype)) return made;
  if (has_dlpack(value)) return from_dlpack(value, dtype);
  return std::nullopt;
}

}  // namespace

array create_array(py::handle value, OptionalDtype dtype) {
  PyObject* object = value.ptr();
  if (is_array(value)) {
    const auto& source = value.cast<const array&>();
    return astype(source, dtype.value_or(source.dtype()));
  }
  if (PyBool_Check(object)) return array(object == Py_True, dtype.value_or(bool_));
  if (PyLong_Check(object)) return from_int(value, dtype);
  if (PyFloat_Check(object)) return array(PyFloat_AS_DOUBLE(object), dtype.value_or(float32));
  if (PyComplex_Check(object)) return from_complex(value, dtype.value_or(complex64));
  if (PyList_Check(object) || PyTuple_Check(object)) return from_list(value, dtype);
  if (std::optional<array> made = from_memory(value, dtype)) return *made;
  const array made = from_accessor(value);
  return astype(made, dtype.value_or(made.dtype()));
}

array to_array(py::handle value, OptionalDtype weak) {
  PyObject* object = value.ptr();
  if (is_array(value)) return value.cast<const array&>();
  if (PyBool_Check(object)) return array(object == Py_True, weak.value_or(bool_));
  if (PyLong_Check(object)) {
    return weak ? from_weak_int(value, *weak) : from_int(value, std::nullopt);
  }
  if (PyFloat_Check(object)) {
    const Dtype dtype = weak && issubdtype(*weak, floating) ? *weak : float32;
    return array(PyFloat_AS_DOUBLE(object), dtype);
  }
  if (PyComplex_Check(object)) return from_complex(value, complex64);
  if (std::optional<array> made = from_memory(value, weak)) return *made;
  return from_accessor(value);
}

std::pair<array, array> to_arrays(const Operand& a, const Operand& b) {
  const auto is_strong = [](py::handle value) {
    return is_array(value) || py::hasattr(value, "__mlx_array__");
  };
  if (is_strong(a.value)) {
    const array first = to_array(a);
    return {first, to_array(b, first.dtype())};
  }
  if (is_strong(b.value)) {
    const array second = to_array(b);
    return {to_array(a, second.dtype()), second};
  }
  return {to_array(a), to_array(b)};
}

std::vector<array> to_arrays(const std::vector<Operand>& operands) {
  std::vector<array> arrays;
  arrays.reserve(operands.size());
  for (const Operand& operand : operands) arrays.push_back(to_array(operand));
  return arrays;
}

bool is_array_like(py::handle value) {
  PyObject* object = value.ptr();
  return is_array(value) || PyLong_Check(object) || PyFloat_Check(object) ||
         PyComplex_Check(object) || (PyObject_CheckBuffer(object) != 0) || has_dlpack(value) ||
         py::hasattr(value, "__mlx_array__");
}

void evaluate(array& a) {
  if (a.is_available()) {
    a.wait();  // throws what went wrong while nobody was waiting
    return;
  }
  const ReleasedInterpreter released;
  a.eval();
}

namespace {

template <typename T>
py::object element(T value) {
  if constexpr (std::is_same_v<T, float16_t> || std::is_same_v<T, bfloat16_t>) {
    return py::float_(static_cast<float>(value));
  } else if constexpr (std::is_same_v<T, complex64_t>) {
    return py::cast(static_cast<const std::complex<float>&>(value));
  } else {
    return py::cast(value);
  }
}

template <typename T>
py::list nested_list(const array& a, const T* data, size_t axis) {
  const ShapeElem count = a.shape()[axis];
  const int64_t stride = a.strides()[axis];
  py::list list(count);
  for (ShapeElem i = 0; i < count; ++i, data += stride) {
    const bool is_last = axis + 1 == a.ndim();
    list[i] = is_last ? element(*data) : py::object(nested_list(a, data, axis + 1));
  }
  return list;
}

}  // namespace

py::object to_scalar(const array& a) {
  if (a.size() != 1) {
    throw std::invalid_argument(
        "[convert] Only length-1 arrays can be converted to Python scalars.");
  }
  array value = a;
  evaluate(value);
  return visit_dtype(value.dtype(),
                     [&](auto sample) { return element(*value.data<decltype(sample)>()); });
}

py::object to_list(const array& a) {
  if (a.ndim() == 0) return to_scalar(a);
  array value = a;
  evaluate(value);
  return visit_dtype(value.dtype(), [&](auto sample) -> py::object {
    return nested_list(value, value.data<decltype(sample)>(), 0);
  });
}

}  // namespace assay::python
