// Reductions and running results.
#include "arguments.h"
#include "assay/ops.h"
#include "bindings.h"
#include "convert.h"

namespace assay::python {
namespace {

using Reduction = array (*)(const array&, const std::vector<int>&, bool, StreamOrDevice);
using Spread = array (*)(const array&, const std::vector<int>&, bool, int, StreamOrDevice);
using Position = array (*)(const array&, int, bool, StreamOrDevice);
using PositionOfAll = array (*)(const array&, bool, StreamOrDevice);
using Scan = array (*)(const array&, int, bool, bool, StreamOrDevice);
using ScanOfAll = array (*)(const array&, bool, bool, StreamOrDevice);

void define(py::module_& m, const char* name, Reduction op, const char* doc) {
  m.def(
      name,
      [op](const array& a, const Axes& axis, bool keepdims, StreamOrDevice stream) {
        return op(a, axes_or_all(axis, a.ndim()), keepdims, stream);
      },
      "a"_a, "axis"_a = py::none(), "keepdims"_a = false, py::kw_only(), "stream"_a = py::none(),
      doc);
}

void define_spread(py::module_& m, const char* name, Spread op, const char* doc) {
  m.def(
      name,
      [op](const array& a, const Axes& axis, bool keepdims, int ddof, StreamOrDevice stream) {
        return op(a, axes_or_all(axis, a.ndim()), keepdims, ddof, stream);
      },
      "a"_a, "axis"_a = py::none(), "keepdims"_a = false, "ddof"_a = 0, py::kw_only(),
      "stream"_a = py::none(), doc);
}

void define_position(py::module_& m, const char* name, Position op, PositionOfAll op_of_all,
                     const char* doc) {
  m.def(
      name,
      [op, op_of_all](const array& a, std::optional<int> axis, bool keepdims,
                      StreamOrDevice stream) {
        return axis ? op(a, *axis, keepdims, stream) : op_of_all(a, keepdims, stream);
      },
      "a"_a, "axis"_a = py::none(), "keepdims"_a = false, py::kw_only(), "stream"_a = py::none(),
      doc);
}

void define_scan(py::module_& m, const char* name, Scan op, ScanOfAll op_of_all, const char* doc) {
  m.def(
      name,
      [op, op_of_all](const array& a, std::optional<int> axis, bool reverse, bool inclusive,
                      OptionalDtype dtype, StreamOrDevice stream) {
        const array values = dtype ? astype(a, *dtype, stream) : a;
        return axis ? op(values, *axis, reverse, inclusive, stream)
                    : op_of_all(values, reverse, inclusive, stream);
      },
      "a"_a, "axis"_a = py::none(), py::kw_only(), "reverse"_a = false, "inclusive"_a = true,
      "dtype"_a = py::none(), "stream"_a = py::none(), doc);
}

void bind_scans(py::module_& m) {
  define_scan(m, "cumsum", &cumsum, &cumsum, "Running sums along an axis.");
  define_scan(m, "cumprod", &cumprod, &cumprod, "Running products along an axis.");
  define_scan(m, "cummax", &cummax, &cummax, "Running maxima along an axis.");
  define_scan(m, "cummin", &cummin, &cummin, "Running minima along an axis.");
  define_scan(m, "logcumsumexp", &logcumsumexp, &logcumsumexp,
              "Logarithms of running sums of exponentials.");
  m.attr("cumulative_sum") = m.attr("cumsum");
  m.attr("cumulative_prod") = m.attr("cumprod");
}

}  // namespace

void bind_reduction(py::module_& m) {
  define(m, "sum", &sum, "Sums over axes, or over all elements.");
  define(m, "prod", &prod, "Products over axes, or over all elements.");
  define(m, "mean", &mean, "Averages over axes, or over all elements.");
  define(m, "min", &assay::min, "Minima over axes, or over all elements; NaN wins.");
  define(m, "max", &assay::max, "Maxima over axes, or over all elements; NaN wins.");
  define(m, "all", &all, "Whether all elements are not zero.");
  define(m, "any", &any, "Whether an element is not zero.");
  define(m, "logsumexp", &logsumexp, "Logarithms of sums of exponentials, without overflow.");
  define(m, "median", &median, "Medians over axes, or over all elements.");
  define(m, "count_nonzero", &count_nonzero, "How many elements are not zero.");
  define_spread(m, "var", &var, "Variances; the divisor is the number of elements minus ddof.");
  define_spread(m, "std", &assay::std, "Standard deviations; see var.");
  define_position(m, "argmin", &argmin, &argmin, "Positions of the minima.");
  define_position(m, "argmax", &argmax, &argmax, "Positions of the maxima.");
  bind_scans(m);
  m.def(
      "softmax",
      [](const array& a, const Axes& axis, bool precise, StreamOrDevice stream) {
        return softmax(a, axes_or_all(axis, a.ndim()), precise, stream);
      },
      "a"_a, "axis"_a = py::none(), py::kw_only(), "precise"_a = false, "stream"_a = py::none(),
      "exp(a) divided by its sum over axes.");
}

}  // namespace assay::python
