// Functions that change shapes and leave elements where they are.
#include "arguments.h"
#include "assay/ops.h"
#include "bindings.h"
#include "convert.h"

namespace assay::python {
namespace {

void bind_reshaping(py::module_& m) {
  m.def(
      "reshape",
      [](const array& a, const ShapeArgument& shape, StreamOrDevice stream) {
        return reshape(a, shape.shape, stream);
      },
      "a"_a, "shape"_a, py::kw_only(), "stream"_a = py::none(),
      "The elements in another shape; one extent may be -1.");
  m.def(
      "flatten",
      [](const array& a, int start_axis, int end_axis, StreamOrDevice stream) {
        return flatten(a, start_axis, end_axis, stream);
      },
      "a"_a, "start_axis"_a = 0, "end_axis"_a = -1, py::kw_only(), "stream"_a = py::none(),
      "The axes from start_axis to end_axis as one.");
  m.def(
      "unflatten",
      [](const array& a, int axis, const ShapeArgument& shape, StreamOrDevice stream) {
        return unflatten(a, axis, shape.shape, stream);
      },
      "a"_a, "axis"_a, "shape"_a, py::kw_only(), "stream"_a = py::none(),
      "One axis split into several.");
  m.def(
      "squeeze",
      [](const array& a, const Axes& axis, StreamOrDevice stream) {
        if (std::holds_alternative<std::monostate>(axis)) return squeeze(a, stream);
        return squeeze(a, axes_or_all(axis, a.ndim()), stream);
      },
      "a"_a, "axis"_a = py::none(), py::kw_only(), "stream"_a = py::none(),
      "The array without axes of one element: all, or those given.");
  m.def(
      "expand_dims",
      [](const array& a, const std::variant<int, std::vector<int>>& axis, StreamOrDevice stream) {
        if (const int* one = std::get_if<int>(&axis)) return expand_dims(a, *one, stream);
        return expand_dims(a, std::get<std::vector<int>>(axis), stream);
      },
      "a"_a, "axis"_a, py::kw_only(), "stream"_a = py::none(), "New axes of one element.");
}

array permute(const array& a, const std::optional<std::vector<int>>& axes, StreamOrDevice stream) {
  return axes ? transpose(a, *axes, stream) : transpose(a, stream);
}

void bind_axes(py::module_& m) {
  m.def("transpose", &permute, "a"_a, "axes"_a = py::none(), py::kw_only(), "stream"_a = py::none(),
        "The axes in another order, reversed unless told.");
  m.attr("permute_dims") = m.attr("transpose");
  m.attr("matrix_transpose") = m.attr("transpose");
  m.def("swapaxes", &swapaxes, "a"_a, "axis1"_a, "axis2"_a, py::kw_only(), "stream"_a = py::none(),
        "The array with two axes exchanged.");
  m.def("moveaxis", &moveaxis, "a"_a, "source"_a, "destination"_a, py::kw_only(),
        "stream"_a = py::none(), "The array with one axis moved to another position.");
}

void bind_broadcasting(py::module_& m) {
  m.def(
      "broadcast_to",
      [](const Operand& a, const ShapeArgument& shape, StreamOrDevice stream) {
        return broadcast_to(to_array(a), shape.shape, stream);
      },
      "a"_a, "shape"_a, py::kw_only(), "stream"_a = py::none(),
      "The array repeated along axes of one element until it has a shape.");
  m.def(
      "broadcast_arrays",
      [](const py::args& arrays, StreamOrDevice stream) {
        return py::tuple(py::cast(broadcast_arrays(arrays.cast<std::vector<array>>(), stream)));
      },
      "stream"_a = py::none(), "Arrays broadcast to their common shape.");
  m.def(
      "broadcast_shapes",
      [](const py::args& shapes) {
        if (shapes.empty()) {
          throw std::invalid_argument("[broadcast_shapes] Must provide at least one shape.");
        }
        Shape result;
        for (const py::handle shape : shapes) {
          if (!py::isinstance<py::tuple>(shape) && !py::isinstance<py::list>(shape)) {
            throw std::invalid_argument("[broadcast_shapes] Expects tuples or lists of integers.");
          }
          result = broadcast_shapes(result, shape.cast<ShapeArgument>().shape);
        }
        return to_tuple(result);
      },
      "The shape that arrays of these shapes broadcast to.");
  using AtLeast = array (*)(const array&, StreamOrDevice);
  const auto define = [&m](const char* name, AtLeast op, const char* doc) {
    m.def(
        name,
        [op](const py::args& arrays, StreamOrDevice stream) -> py::object {
          if (arrays.size() == 1) return py::cast(op(arrays[0].cast<array>(), stream));
          py::list results;
          for (const py::handle one : arrays) results.append(op(one.cast<array>(), stream));
          return results;
        },
        "stream"_a = py::none(), doc);
  };
  define("atleast_1d", &atleast_1d, "Arrays with at least one axis.");
  define("atleast_2d", &atleast_2d, "Arrays with at least two axes.");
  define("atleast_3d", &atleast_3d, "Arrays with at least three axes.");
}

array restride(const array& a, std::optional<ShapeArgument> shape, std::optional<Strides> strides,
               size_t offset, StreamOrDevice stream) {
  const Shape target = shape ? shape->shape : a.shape();
  if (!strides) {
    strides = Strides(target.size(), 1);
    for (size_t i = target.size(); i-- > 1;) (*strides)[i - 1] = target[i] * (*strides)[i];
  }
  return as_strided(a, target, *strides, offset, stream);
}

void bind_views(py::module_& m) {
  m.def("as_strided", &restride, "a"_a, "shape"_a = py::none(), "strides"_a = py::none(),
        "offset"_a = 0, py::kw_only(), "stream"_a = py::none(),
        "A view of the elements with any strides, in elements of the flattened array.");
  m.def("contiguous", &contiguous, "a"_a, "allow_col_major"_a = false, py::kw_only(),
        "stream"_a = py::none(), "The array with its rows one after the other in memory.");
  m.def(
      "view",
      [](const Operand& a, Dtype dtype, StreamOrDevice stream) {
        return view(to_array(a), dtype, stream);
      },
      "a"_a, "dtype"_a, "stream"_a = py::none(), "The same bytes as elements of another type.");
  m.def(
      "slice",
      [](const array& a, const array& start_indices, const std::vector<int>& axes,
         const ShapeArgument& slice_size,
         StreamOrDevice stream) { return slice(a, start_indices, axes, slice_size.shape, stream); },
      "a"_a, "start_indices"_a, "axes"_a, "slice_size"_a, py::kw_only(), "stream"_a = py::none(),
      "A part of the array that begins where an array says.");
  m.def(
      "slice_update",
      [](const array& a, const array& update, const array& start_indices,
         const std::vector<int>& axes,
         StreamOrDevice stream) { return slice_update(a, update, start_indices, axes, stream); },
      "a"_a, "update"_a, "start_indices"_a, "axes"_a, py::kw_only(), "stream"_a = py::none(),
      "A copy with a part replaced that begins where an array says.");
}

}  // namespace

void bind_shape(py::module_& m) {
  bind_reshaping(m);
  bind_axes(m);
  bind_broadcasting(m);
  bind_views(m);
}

}  // namespace assay::python
