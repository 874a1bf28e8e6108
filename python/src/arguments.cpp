// See arguments.h.
#include "arguments.h"

#include <limits>
#include <numeric>

namespace assay::python {

std::vector<int> axes_or_all(const Axes& axes, size_t rank) {
  if (const int* axis = std::get_if<int>(&axes)) return {*axis};
  if (const auto* several = std::get_if<std::vector<int>>(&axes)) return *several;
  std::vector<int> all(rank);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

ShapeElem to_dimension(py::handle value) {
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!number) throw py::error_already_set();
  const long long dimension = PyLong_AsLongLong(number.ptr());
  if (dimension == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  using Limits = std::numeric_limits<ShapeElem>;
  if (dimension < Limits::min() || dimension > Limits::max()) {
    PyErr_Format(PyExc_OverflowError,
                 "Shape dimension %lld is outside the supported range [%d, %d]. MLX currently uses "
                 "32-bit integers for shape dimensions.",
                 dimension, Limits::min(), Limits::max());
    throw py::error_already_set();
  }
  return static_cast<ShapeElem>(dimension);
}

py::tuple to_tuple(const Shape& shape) {
  py::tuple tuple(shape.size());
  for (size_t i = 0; i < shape.size(); ++i) tuple[i] = py::int_(shape[i]);
  return tuple;
}

}  // namespace assay::python
