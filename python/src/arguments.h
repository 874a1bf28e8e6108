// Argument types of the bound functions and how Python values become them.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "array_caster.h"
#include "assay/array.h"
#include "assay/stream.h"
#include "pybind11/pybind11.h"
#include "pybind11/stl.h"

namespace assay::python {

namespace py = pybind11;
using py::literals::operator""_a;

// Whatever an op takes for an array: a Python number, an array, anything with a buffer or with
// __mlx_array__. Borrowed from the caller; to_array() in convert.h makes the array.
struct Operand {
  py::handle value;
};

// A shape given as one number or as a sequence.
struct ShapeArgument {
  Shape shape;
};

// No axis, one, or several.
using Axes = std::variant<std::monostate, int, std::vector<int>>;
using OptionalDtype = std::optional<Dtype>;

// All axes where none is given.
std::vector<int> axes_or_all(const Axes& axes, size_t rank);
// MLX's dimensions have 32 bits; larger numbers raise OverflowError.
ShapeElem to_dimension(py::handle value);
py::tuple to_tuple(const Shape& shape);

}  // namespace assay::python

namespace pybind11::detail {

template <>
struct type_caster<assay::Shape> : list_caster<assay::Shape, assay::ShapeElem> {};
template <>
struct type_caster<assay::Strides> : list_caster<assay::Strides, int64_t> {};

template <>
struct type_caster<assay::python::Operand> {
  PYBIND11_TYPE_CASTER(assay::python::Operand, const_name("scalar | array"));
  bool load(handle source, bool) {
    value.value = source;
    return !source.is_none();
  }
};

template <>
struct type_caster<assay::python::ShapeArgument> {
  PYBIND11_TYPE_CASTER(assay::python::ShapeArgument, const_name("int | Sequence[int]"));
  bool load(handle source, bool) {
    if (PyIndex_Check(source.ptr()) != 0 && PySequence_Check(source.ptr()) == 0) {
      value.shape = {assay::python::to_dimension(source)};
      return true;
    }
    if (PySequence_Check(source.ptr()) == 0 || PyUnicode_Check(source.ptr()) != 0) return false;
    for (const handle item : reinterpret_borrow<sequence>(source)) {
      if (PyIndex_Check(item.ptr()) == 0) return false;
      value.shape.push_back(assay::python::to_dimension(item));
    }
    return true;
  }
};

template <>
struct type_caster<assay::StreamOrDevice> {
  PYBIND11_TYPE_CASTER(assay::StreamOrDevice, const_name("StreamOrDevice"));
  bool load(handle source, bool) {
    if (source.is_none()) return true;
    if (isinstance<assay::Stream>(source)) {
      value = source.cast<assay::Stream>();
    } else if (isinstance<assay::Device>(source)) {
      value = source.cast<assay::Device>();
    } else if (isinstance<assay::Device::DeviceType>(source)) {
      value = source.cast<assay::Device::DeviceType>();
    } else {
      return false;
    }
    return true;
  }
};

}  // namespace pybind11::detail
