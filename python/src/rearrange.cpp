// Functions that join, split, repeat and move elements.
#include "arguments.h"
#include "assay/ops.h"
#include "bindings.h"
#include "convert.h"

namespace assay::python {
namespace {

using PadWidth =
    std::variant<int, std::tuple<int>, std::pair<int, int>, std::vector<std::pair<int, int>>>;

array pad_array(const array& a, const PadWidth& width, const std::string& mode,
                const Operand& constant, StreamOrDevice stream) {
  const array value = to_array(constant, a.dtype());
  if (const int* same = std::get_if<int>(&width)) return pad(a, *same, value, mode, stream);
  if (const auto* one = std::get_if<std::tuple<int>>(&width)) {
    return pad(a, std::get<0>(*one), value, mode, stream);
  }
  if (const auto* both = std::get_if<std::pair<int, int>>(&width)) {
    return pad(a, *both, value, mode, stream);
  }
  const auto& each = std::get<std::vector<std::pair<int, int>>>(width);
  if (each.size() == 1) return pad(a, each[0], value, mode, stream);
  return pad(a, each, value, mode, stream);
}

array roll_array(const array& a, const std::variant<int, Shape>& shift, const Axes& axis,
                 StreamOrDevice stream) {
  return std::visit(
      [&](const auto& by, const auto& along) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(along)>, std::monostate>) {
          return roll(a, by, stream);
        } else {
          return roll(a, by, along, stream);
        }
      },
      shift, axis);
}

void bind_joining(py::module_& m) {
  m.def(
      "concatenate",
      [](const std::vector<array>& arrays, std::optional<int> axis, StreamOrDevice stream) {
        return axis ? concatenate(arrays, *axis, stream) : concatenate(arrays, stream);
      },
      "arrays"_a, "axis"_a = 0, py::kw_only(), "stream"_a = py::none(),
      "Arrays one after the other along an axis.");
  m.attr("concat") = m.attr("concatenate");
  m.def(
      "stack",
      [](const std::vector<array>& arrays, std::optional<int> axis, StreamOrDevice stream) {
        return stack(arrays, axis.value_or(0), stream);
      },
      "arrays"_a, "axis"_a = 0, py::kw_only(), "stream"_a = py::none(),
      "Arrays one after the other along a new axis.");
  m.def("unstack", &unstack, "x"_a, py::kw_only(), "axis"_a = 0, "stream"_a = py::none(),
        "The arrays along an axis.");
  m.def(
      "split",
      [](const array& a, const std::variant<int, Shape>& parts, int axis, StreamOrDevice stream) {
        if (const int* count = std::get_if<int>(&parts)) return split(a, *count, axis, stream);
        return split(a, std::get<Shape>(parts), axis, stream);
      },
      "a"_a, "indices_or_sections"_a, "axis"_a = 0, py::kw_only(), "stream"_a = py::none(),
      "The array cut into equal parts, or at positions, along an axis.");
}

void bind_repeating(py::module_& m) {
  m.def(
      "repeat",
      [](const array& a, int repeats, std::optional<int> axis, StreamOrDevice stream) {
        return axis ? repeat(a, repeats, *axis, stream) : repeat(a, repeats, stream);
      },
      "array"_a, "repeats"_a, "axis"_a = py::none(), py::kw_only(), "stream"_a = py::none(),
      "Each element several times.");
  m.def(
      "tile",
      [](const array& a, const std::variant<int, std::vector<int>>& reps, StreamOrDevice stream) {
        if (const int* one = std::get_if<int>(&reps)) return tile(a, {*one}, stream);
        return tile(a, std::get<std::vector<int>>(reps), stream);
      },
      "a"_a, "reps"_a, py::kw_only(), "stream"_a = py::none(), "The whole array several times.");
  m.def("diff", &diff, "a"_a, "n"_a = 1, "axis"_a = -1, py::kw_only(), "stream"_a = py::none(),
        "Differences of neighbours along an axis, taken n times.");
  m.def("pad", &pad_array, "a"_a, "pad_width"_a, "mode"_a = "constant", "constant_values"_a = 0,
        py::kw_only(), "stream"_a = py::none(), "The array with a margin around it.");
  m.def("roll", &roll_array, "a"_a, "shift"_a, "axis"_a = py::none(), py::kw_only(),
        "stream"_a = py::none(), "Elements moved along axes; those that fall off come back.");
  m.def(
      "flip",
      [](const array& a, const Axes& axis, StreamOrDevice stream) {
        return flip(a, axes_or_all(axis, a.ndim()), stream);
      },
      "a"_a, "axis"_a = py::none(), py::kw_only(), "stream"_a = py::none(),
      "The array with axes reversed.");
}

array take_array(const array& a, const py::object& indices, std::optional<int> axis,
                 StreamOrDevice stream) {
  if (!is_array(indices) && PyIndex_Check(indices.ptr()) != 0) {
    const ShapeElem index = to_dimension(indices);
    return axis ? take(a, index, *axis, stream) : take(a, index, stream);
  }
  const array list = to_array(indices);
  return axis ? take(a, list, *axis, stream) : take(a, list, stream);
}

void bind_taking(py::module_& m) {
  m.def("take", &take_array, "a"_a, "indices"_a, "axis"_a = py::none(), py::kw_only(),
        "stream"_a = py::none(),
        "Elements by their position along an axis, or in the flattened array.");
  m.def(
      "take_along_axis",
      [](const array& a, const array& indices, std::optional<int> axis, StreamOrDevice stream) {
        if (axis) return take_along_axis(a, indices, *axis, stream);
        return take_along_axis(reshape(a, {-1}, stream), indices, 0, stream);
      },
      "a"_a, "indices"_a, "axis"_a = py::none(), py::kw_only(), "stream"_a = py::none(),
      "Elements by their positions along an axis, one for each of the indices; without an axis, "
      "in\n"
      "the flattened array.");
  m.def(
      "put_along_axis",
      [](const array& a, const array& indices, const Operand& values, std::optional<int> axis,
         StreamOrDevice stream) {
        const array updates = to_array(values, a.dtype());
        if (axis) return put_along_axis(a, indices, updates, *axis, stream);
        const array flat = reshape(a, {-1}, stream);
        return reshape(put_along_axis(flat, indices, updates, 0, stream), a.shape(), stream);
      },
      "a"_a, "indices"_a, "values"_a, "axis"_a = py::none(), py::kw_only(), "stream"_a = py::none(),
      "A copy with elements replaced by their positions along an axis; without an axis, in the\n"
      "flattened array.");
}

}  // namespace

void bind_rearrange(py::module_& m) {
  bind_joining(m);
  bind_repeating(m);
  bind_taking(m);
}

}  // namespace assay::python
