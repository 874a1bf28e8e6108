// Methods of arrays: the module's functions with the array in front, and the few that differ.
#include "assay/ops.h"
#include "bindings.h"
#include "given.h"

namespace assay::python {
namespace {

constexpr const char* kSharedMethods[] = {
    "abs",      "all",     "any",        "argmax",       "argmin",    "conj", "cos",     "cummax",
    "cummin",   "cumprod", "cumsum",     "diag",         "diagonal",  "exp",  "flatten", "log",
    "log10",    "log1p",   "log2",       "logcumsumexp", "logsumexp", "max",  "mean",    "min",
    "moveaxis", "prod",    "reciprocal", "round",        "rsqrt",     "sin",  "split",   "sqrt",
    "square",   "squeeze", "std",        "sum",          "swapaxes",  "var",  "view",    "astype"};

// reshape(2, 3) and reshape((2, 3)) mean the same.
Shape one_or_many(const py::args& values, const char* function, const char* argument) {
  const bool is_one = values.size() == 1;
  const py::handle given = is_one ? py::handle(values[0]) : py::handle(values);
  return convert_given<ShapeArgument>(given, function, argument,
                                      "integers, or a tuple or list of integers")
      .shape;
}

}  // namespace

void bind_array_methods(py::module_& m) {
  py::object cls = m.attr("array");
  for (const char* name : kSharedMethods) {
    if (!py::hasattr(m, name)) continue;
    const py::object function = m.attr(name);
    cls.attr(name) = py::reinterpret_steal<py::object>(PyInstanceMethod_New(function.ptr()));
  }
  auto array_class = py::reinterpret_borrow<py::class_<array>>(cls);
  array_class.def(
      "reshape",
      [](const array& a, const py::args& shape, StreamOrDevice stream) {
        return reshape(a, one_or_many(shape, "reshape", "shape"), stream);
      },
      "stream"_a = py::none(), "The elements in another shape, given as a tuple or as arguments.");
  array_class.def(
      "transpose",
      [](const array& a, const py::args& axes, StreamOrDevice stream) {
        if (axes.empty()) return transpose(a, stream);
        return transpose(a, one_or_many(axes, "transpose", "axes"), stream);
      },
      "stream"_a = py::none(), "The axes in another order, given as a tuple or as arguments.");
}

}  // namespace assay::python
