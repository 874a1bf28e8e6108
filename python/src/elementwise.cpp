// Element-wise functions. Those of elementwise.def come from the table, with documentation from
// elementwise_docs.h.
#include "elementwise_docs.h"

#include "arguments.h"
#include "assay/ops.h"
#include "bindings.h"
#include "convert.h"

namespace assay::python {
namespace {

using Unary = array (*)(const array&, StreamOrDevice);
using Binary = array (*)(const array&, const array&, StreamOrDevice);

void define(py::module_& m, const char* name, Unary op) {
  m.def(
      name, [op](const Operand& a, StreamOrDevice stream) { return op(to_array(a), stream); },
      "a"_a, "stream"_a = py::none(), find_doc(name));
}

void define(py::module_& m, const char* name, Binary op) {
  m.def(
      name,
      [op](const Operand& a, const Operand& b, StreamOrDevice stream) {
        const auto [first, second] = to_arrays(a, b);
        return op(first, second, stream);
      },
      "a"_a, "b"_a, "stream"_a = py::none(), find_doc(name));
}

void bind_table(py::module_& m) {
#define ASSAY_UNARY(name, ...) define(m, #name, static_cast<Unary>(&assay::name));
#define ASSAY_BINARY(name, ...) define(m, #name, static_cast<Binary>(&assay::name));
#include "assay/elementwise.def"
  // Steps inside other functions, which MLX does not show.
  py::delattr(m, "rint");
  py::delattr(m, "nan_equal");
}

void bind_aliases(py::module_& m) {
  constexpr std::pair<const char*, const char*> kAliases[] = {
      {"conj", "conjugate"},
      {"asin", "arcsin"},
      {"acos", "arccos"},
      {"atan", "arctan"},
      {"atan2", "arctan2"},
      {"asinh", "arcsinh"},
      {"acosh", "arccosh"},
      {"atanh", "arctanh"},
      {"pow", "power"},
      {"bitwise_left_shift", "left_shift"},
      {"bitwise_right_shift", "right_shift"}};
  for (const auto& [alias, name] : kAliases) m.attr(alias) = m.attr(name);
}

// In MLX the operands of a condition keep their own types; a number beside an array adopts its.
array select(const Operand& condition, const Operand& x, const Operand& y, StreamOrDevice stream) {
  const auto [first, second] = to_arrays(x, y);
  return where(to_array(condition), first, second, stream);
}

std::optional<array> to_bound(const std::optional<Operand>& bound, Dtype dtype) {
  if (!bound) return std::nullopt;
  return to_array(*bound, dtype);
}

void bind_others(py::module_& m) {
  define(m, "positive", static_cast<Unary>(&positive));
  define(m, "reciprocal", static_cast<Unary>(&reciprocal));
  define(m, "degrees", static_cast<Unary>(&degrees));
  define(m, "radians", static_cast<Unary>(&radians));
  define(m, "stop_gradient", static_cast<Unary>(&stop_gradient));
  m.def(
      "divmod",
      [](const Operand& a, const Operand& b, StreamOrDevice stream) {
        const auto [first, second] = to_arrays(a, b);
        return py::tuple(py::cast(divmod(first, second, stream)));
      },
      "a"_a, "b"_a, "stream"_a = py::none(), "Quotients rounded down, and remainders.");
  m.def("where", &select, "condition"_a, "x"_a, "y"_a, py::kw_only(), "stream"_a = py::none(),
        "Elements of x where the condition holds, and of y elsewhere.");
  m.def(
      "clip",
      [](const Operand& a, const std::optional<Operand>& low, const std::optional<Operand>& high,
         StreamOrDevice stream) {
        const array values = to_array(a);
        return clip(values, to_bound(low, values.dtype()), to_bound(high, values.dtype()), stream);
      },
      "a"_a, "a_min"_a, "a_max"_a, py::kw_only(), "stream"_a = py::none(),
      "Elements limited to a_min and a_max; None is no limit.");
  m.def(
      "round",
      [](const Operand& a, int decimals, StreamOrDevice stream) {
        return round(to_array(a), decimals, stream);
      },
      "a"_a, "decimals"_a = 0, "stream"_a = py::none(),
      "Elements rounded to a number of decimals; halves go to the even neighbour.");
  m.def(
      "nan_to_num",
      [](const Operand& a, float nan, std::optional<float> posinf, std::optional<float> neginf,
         StreamOrDevice stream) { return nan_to_num(to_array(a), nan, posinf, neginf, stream); },
      "a"_a, "nan"_a = 0.0f, "posinf"_a = py::none(), "neginf"_a = py::none(), py::kw_only(),
      "stream"_a = py::none(), "Elements with NaN and infinities replaced by numbers.");
  m.def(
      "astype",
      [](const Operand& a, Dtype dtype, StreamOrDevice stream) {
        return astype(to_array(a), dtype, stream);
      },
      "a"_a, "dtype"_a, "stream"_a = py::none(), "Elements converted to a type.");
}

void bind_comparisons(py::module_& m) {
  m.def(
      "isclose",
      [](const Operand& a, const Operand& b, double rtol, double atol, bool equal_nan,
         StreamOrDevice stream) {
        const auto [first, second] = to_arrays(a, b);
        return isclose(first, second, rtol, atol, equal_nan, stream);
      },
      "a"_a, "b"_a, "rtol"_a = 1e-5, "atol"_a = 1e-8, py::kw_only(), "equal_nan"_a = false,
      "stream"_a = py::none(),
      "Where |a - b| <= atol + rtol * |b|, or both are the same infinity.");
  m.def(
      "allclose",
      [](const Operand& a, const Operand& b, double rtol, double atol, bool equal_nan,
         StreamOrDevice stream) {
        const auto [first, second] = to_arrays(a, b);
        return allclose(first, second, rtol, atol, equal_nan, stream);
      },
      "a"_a, "b"_a, "rtol"_a = 1e-5, "atol"_a = 1e-8, py::kw_only(), "equal_nan"_a = false,
      "stream"_a = py::none(), "Whether isclose() holds everywhere.");
  m.def(
      "array_equal",
      [](const Operand& a, const Operand& b, bool equal_nan, StreamOrDevice stream) {
        const auto [first, second] = to_arrays(a, b);
        return array_equal(first, second, equal_nan, stream);
      },
      "a"_a, "b"_a, "equal_nan"_a = false, "stream"_a = py::none(),
      "Whether two arrays have the same shape and the same elements.");
}

}  // namespace

void bind_elementwise(py::module_& m) {
  bind_table(m);
  bind_aliases(m);
  bind_others(m);
  bind_comparisons(m);
}

}  // namespace assay::python
