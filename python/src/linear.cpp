// Products of matrices and vectors.
#include "arguments.h"
#include "assay/einsum.h"
#include "assay/ops.h"
#include "bindings.h"
#include "convert.h"

namespace assay::python {
namespace {

using Product = array (*)(const array&, const array&, StreamOrDevice);

void define(py::module_& m, const char* name, Product op, const char* doc) {
  m.def(name, op, "a"_a, "b"_a, py::kw_only(), "stream"_a = py::none(), doc);
}

array contract(const array& a, const array& b,
               const std::variant<int, std::vector<std::vector<int>>>& axes,
               StreamOrDevice stream) {
  if (const int* count = std::get_if<int>(&axes)) return tensordot(a, b, *count, stream);
  const auto& pair = std::get<std::vector<std::vector<int>>>(axes);
  if (pair.size() != 2) {
    throw std::invalid_argument("[tensordot] axes must be a list of two lists.");
  }
  return tensordot(a, b, pair[0], pair[1], stream);
}

}  // namespace

void bind_linear(py::module_& m) {
  define(m, "matmul", &matmul, "Matrix products of the last two axes, others broadcast.");
  define(m, "inner", &inner, "Sums of products over the last axes.");
  define(m, "outer", &outer, "Products of all pairs of elements.");
  define(m, "kron", &kron, "Kronecker products.");
  m.def(
      "addmm",
      [](const array& c, const array& a, const array& b, float alpha, float beta,
         StreamOrDevice stream) { return addmm(c, a, b, alpha, beta, stream); },
      "c"_a, "a"_a, "b"_a, "alpha"_a = 1.0f, "beta"_a = 1.0f, py::kw_only(),
      "stream"_a = py::none(), "alpha * (a @ b) + beta * c");
  m.def("tensordot", &contract, "a"_a, "b"_a, "axes"_a = 2, py::kw_only(), "stream"_a = py::none(),
        "Sums of products over pairs of axes.");
  m.def(
      "vecdot",
      [](const array& a, const array& b, int axis, StreamOrDevice stream) {
        return vecdot(a, b, axis, stream);
      },
      "a"_a, "b"_a, py::kw_only(), "axis"_a = -1, "stream"_a = py::none(),
      "Dot products of vectors along an axis.");
  m.def(
      "einsum",
      [](const std::string& subscripts, const py::args& operands, StreamOrDevice stream) {
        return einsum(subscripts, operands.cast<std::vector<array>>(), stream);
      },
      "subscripts"_a, "stream"_a = py::none(),
      "Sums of products in Einstein's notation, such as 'ij,jk->ik'.");
  m.def(
      "einsum_path",
      [](const std::string& subscripts, const py::args& operands) {
        const auto [steps, text] = einsum_path(subscripts, operands.cast<std::vector<array>>());
        py::list path;
        for (const std::vector<int>& step : steps) path.append(py::tuple(py::cast(step)));
        return py::make_tuple(path, text);
      },
      "subscripts"_a,
      "The order in which einsum() multiplies its operands, as NumPy writes it, and a text that "
      "says what it costs.");
  m.def(
      "trace",
      [](const array& a, int offset, int axis1, int axis2, OptionalDtype dtype,
         StreamOrDevice stream) {
        if (dtype) return trace(a, offset, axis1, axis2, *dtype, stream);
        return trace(a, offset, axis1, axis2, stream);
      },
      "a"_a, "offset"_a = 0, "axis1"_a = 0, "axis2"_a = 1, "dtype"_a = py::none(), py::kw_only(),
      "stream"_a = py::none(), "Sums of diagonals.");
}

}  // namespace assay::python
