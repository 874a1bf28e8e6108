// Sorting and searching.
#include "arguments.h"
#include "assay/ops.h"
#include "bindings.h"

namespace assay::python {
namespace {

using Order = array (*)(const array&, int, StreamOrDevice);
using OrderOfAll = array (*)(const array&, StreamOrDevice);
using Partition = array (*)(const array&, int, int, StreamOrDevice);
using PartitionOfAll = array (*)(const array&, int, StreamOrDevice);

void define(py::module_& m, const char* name, Order op, OrderOfAll op_of_all, const char* doc) {
  m.def(
      name,
      [op, op_of_all](const array& a, std::optional<int> axis, StreamOrDevice stream) {
        return axis ? op(a, *axis, stream) : op_of_all(a, stream);
      },
      "a"_a, "axis"_a = -1, py::kw_only(), "stream"_a = py::none(), doc);
}

void define(py::module_& m, const char* name, const char* argument, Partition op,
            PartitionOfAll op_of_all, const char* doc) {
  m.def(
      name,
      [op, op_of_all](const array& a, int k, std::optional<int> axis, StreamOrDevice stream) {
        return axis ? op(a, k, *axis, stream) : op_of_all(a, k, stream);
      },
      "a"_a, py::arg(argument).noconvert(), "axis"_a = -1, py::kw_only(), "stream"_a = py::none(),
      doc);
}

}  // namespace

void bind_order(py::module_& m) {
  define(m, "sort", &sort, &sort, "Elements in ascending order along an axis.");
  define(m, "argsort", &argsort, &argsort, "Positions that sort the elements along an axis.");
  define(m, "partition", "kth", &partition, &partition,
         "Elements with the k-th smallest in its place, smaller ones before it.");
  define(m, "argpartition", "kth", &argpartition, &argpartition,
         "Positions that partition the elements along an axis.");
  define(m, "topk", "k", &topk, &topk, "The k largest elements along an axis, in no order.");
  m.def(
      "searchsorted",
      [](const array& sorted, const array& values, const std::string& side, StreamOrDevice stream) {
        if (side != "left" && side != "right") {
          throw std::invalid_argument("[searchsorted] side must be 'left' or 'right'.");
        }
        return searchsorted(sorted, values, side == "right", stream);
      },
      "sorted_sequence"_a, "values"_a, "side"_a = "left", py::kw_only(), "stream"_a = py::none(),
      "Positions at which values keep a sorted sequence sorted.");
}

}  // namespace assay::python
