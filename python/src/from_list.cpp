// Nested lists and tuples to arrays.
#include <algorithm>

#include "assay/ops.h"
#include "convert.h"
#include "pybind11/complex.h"

namespace assay::python {
namespace {

enum class NumberKind : uint8_t { kBool, kInt, kWideInt, kFloat, kComplex };

bool is_list(PyObject* object) { return PyList_Check(object) || PyTuple_Check(object); }

void find_shape(PyObject* list, Shape& shape) {
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(list);
  shape.push_back(to_dimension(py::int_(count)));
  if (count == 0) return;
  PyObject* first = PySequence_Fast_GET_ITEM(list, 0);
  if (is_list(first)) {
    find_shape(first, shape);
  } else if (is_array(first)) {
    const Shape& inner = py::handle(first).cast<const array&>().shape();
    shape.insert(shape.end(), inner.begin(), inner.end());
  }
}

// The numbers of a nested list in order, with its shape and the kind that holds them all.
class ListReader {
 public:
  explicit ListReader(PyObject* list) {
    find_shape(list, shape_);
    read(list, 0);
  }

  const Shape& shape() const { return shape_; }
  NumberKind kind() const { return kind_; }
  const std::vector<PyObject*>& numbers() const { return numbers_; }
  bool has_arrays() const { return has_arrays_; }

 private:
  [[noreturn]] static void fail_uneven() {
    throw std::invalid_argument("Initialization encountered non-uniform length.");
  }

  void read(PyObject* list, size_t axis) {
    if (axis >= shape_.size()) {
      throw std::invalid_argument("Initialization encountered extra dimension.");
    }
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(list);
    if (count != shape_[axis]) fail_uneven();
    if (count == 0) note(NumberKind::kFloat);
    for (Py_ssize_t i = 0; i < count; ++i) read_item(PySequence_Fast_GET_ITEM(list, i), axis);
  }

  void read_item(PyObject* item, size_t axis) {
    if (is_list(item)) {
      read(item, axis + 1);
    } else if (is_array(item)) {
      has_arrays_ = true;
      const Shape& inner = py::handle(item).cast<const array&>().shape();
      const auto rest = shape_.begin() + static_cast<std::ptrdiff_t>(axis) + 1;
      if (!std::equal(rest, shape_.end(), inner.begin(), inner.end())) fail_uneven();
    } else {
      note(kind_of(item));
      if (axis + 1 != shape_.size()) fail_uneven();
      numbers_.push_back(item);
    }
  }

  static NumberKind kind_of(PyObject* item) {
    if (PyBool_Check(item)) return NumberKind::kBool;
    if (PyLong_Check(item)) {
      int overflow = 0;
      const long long value = PyLong_AsLongLongAndOverflow(item, &overflow);
      const bool is_wide = overflow != 0 || value != static_cast<int32_t>(value);
      return is_wide ? NumberKind::kWideInt : NumberKind::kInt;
    }
    if (PyFloat_Check(item)) return NumberKind::kFloat;
    if (PyComplex_Check(item)) return NumberKind::kComplex;
    throw std::invalid_argument(std::string("Invalid type ") + Py_TYPE(item)->tp_name +
                                " received in array initialization.");
  }

  void note(NumberKind kind) { kind_ = std::max(kind_, kind); }

  Shape shape_;
  NumberKind kind_ = NumberKind::kBool;
  std::vector<PyObject*> numbers_;
  bool has_arrays_ = false;
};

template <typename T, typename Read>
array fill(const ListReader& list, Dtype dtype, Read read) {
  std::vector<T> values;
  values.reserve(list.numbers().size());
  for (PyObject* number : list.numbers()) values.push_back(read(number));
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  return array(values.data(), list.shape(), dtype);
}

array fill_integers(const ListReader& list, Dtype dtype) {
  if (dtype == uint64) return fill<uint64_t>(list, dtype, PyLong_AsUnsignedLongLong);
  if (issubdtype(dtype, inexact)) return fill<double>(list, dtype, PyLong_AsDouble);
  return fill<int64_t>(list, dtype, PyLong_AsLongLong);
}

array from_numbers(const ListReader& list, OptionalDtype dtype) {
  switch (list.kind()) {
    case NumberKind::kBool:
      return fill<uint8_t>(list, dtype.value_or(bool_), [](PyObject* n) { return n == Py_True; });
    case NumberKind::kInt: return fill_integers(list, dtype.value_or(int32));
    case NumberKind::kWideInt: return fill_integers(list, dtype.value_or(int64));
    case NumberKind::kFloat: return fill<double>(list, dtype.value_or(float32), PyFloat_AsDouble);
    case NumberKind::kComplex:
      return fill<complex64_t>(list, dtype.value_or(complex64), [](PyObject* n) {
        return py::handle(n).cast<std::complex<float>>();
      });
  }
  return array({}, dtype.value_or(float32));
}

}  // namespace

array from_list(py::handle list, OptionalDtype dtype) {
  const ListReader reader(list.ptr());
  if (!reader.has_arrays()) return from_numbers(reader, dtype);
  std::vector<array> rows;
  for (const py::handle row : list) rows.push_back(create_array(row, dtype));
  return stack(rows);
}

}  // namespace assay::python
