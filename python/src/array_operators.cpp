// Python's operators on arrays.
#include "arguments.h"
#include "assay/ops.h"
#include "bindings.h"
#include "convert.h"

namespace assay::python {
namespace {

using Binary = array (*)(const array&, const array&, StreamOrDevice);

struct Operator {
  const char* name;      // __name__, __rname__ and __iname__
  const char* in_words;  // for messages
  Binary op;
  bool is_integral = false;
};

array to_operand(const array& a, py::handle other, const Operator& op, const char* prefix = "") {
  if (!is_array_like(other)) {
    throw std::invalid_argument(std::string("Cannot perform ") + prefix + op.in_words +
                                " on an mlx.core.array and " + Py_TYPE(other.ptr())->tp_name);
  }
  array operand = to_array(other, a.dtype());
  if (op.is_integral && (issubdtype(a.dtype(), inexact) || issubdtype(operand.dtype(), inexact))) {
    throw std::invalid_argument(std::string("Floating point types not allowed with ") +
                                op.in_words + ".");
  }
  return operand;
}

void define(py::class_<array>& cls, const Operator& op) {
  const std::string name = op.name;
  cls.def(("__" + name + "__").c_str(),
          [op](const array& a, const py::object& other) {
            return op.op(a, to_operand(a, other, op), {});
          },
          "other"_a);
  cls.def(("__r" + name + "__").c_str(),
          [op](const array& a, const py::object& other) {
            return op.op(to_operand(a, other, op), a, {});
          },
          "other"_a);
  // Replaces what the object stands for: other names of the object see the new values.
  cls.def(
      ("__i" + name + "__").c_str(),
      [op](py::object self, const py::object& other) {
        auto& a = self.cast<array&>();
        if (op.op == static_cast<Binary>(&divide) && !issubdtype(a.dtype(), inexact)) {
          throw std::invalid_argument("In place division cannot cast to non-floating point type.");
        }
        a.overwrite_descriptor(op.op(a, to_operand(a, other, op, "inplace "), {}));
        return self;
      },
      "other"_a);
}

void define_comparison(py::class_<array>& cls, const Operator& op) {
  cls.def((std::string("__") + op.name + "__").c_str(),
          [op](const array& a, const py::object& other) {
            return op.op(a, to_operand(a, other, op), {});
          },
          "other"_a);
}

// Objects that are no numbers are never equal to an array.
void define_equality(py::class_<array>& cls, const char* name, Binary op, bool otherwise) {
  cls.def(
      name,
      [op, otherwise](const array& a, const py::object& other) -> py::object {
        if (!is_array_like(other)) return py::bool_(otherwise);
        return py::cast(op(a, to_array(other, a.dtype()), {}));
      },
      "other"_a);
}

array invert(const array& a) {
  if (issubdtype(a.dtype(), inexact)) {
    throw std::invalid_argument("Floating point types not allowed with bitwise inversion.");
  }
  return a.dtype() == bool_ ? logical_not(a) : bitwise_invert(a);
}

}  // namespace

void bind_array_operators(py::class_<array>& cls) {
  const Operator kOperators[] = {
      {"add", "addition", &add},
      {"sub", "subtraction", &subtract},
      {"mul", "multiplication", &multiply},
      {"truediv", "division", &divide},
      {"floordiv", "floor division", &floor_divide},
      {"mod", "modulus", &remainder},
      {"pow", "power", &power},
      {"and", "bitwise and", &bitwise_and, true},
      {"or", "bitwise or", &bitwise_or, true},
      {"xor", "bitwise xor", &bitwise_xor, true},
      {"lshift", "left shift", &left_shift, true},
      {"rshift", "right shift", &right_shift, true},
  };
  for (const Operator& op : kOperators) define(cls, op);
  define_comparison(cls, {"lt", "less than", &less});
  define_comparison(cls, {"le", "less than or equal", &less_equal});
  define_comparison(cls, {"gt", "greater than", &greater});
  define_comparison(cls, {"ge", "greater than or equal", &greater_equal});
  define_equality(cls, "__eq__", &equal, false);
  define_equality(cls, "__ne__", &not_equal, true);
  cls.def("__neg__", [](const array& a) { return negative(a); });
  cls.def("__pos__", [](const array& a) { return a; });
  cls.def("__abs__", [](const array& a) { return abs(a); });
  cls.def("__invert__", &invert);
  cls.def(
      "__matmul__", [](const array& a, const array& other) { return matmul(a, other); }, "other"_a);
  cls.def(
      "__imatmul__",
      [](py::object self, const array& other) {
        auto& a = self.cast<array&>();
        a.overwrite_descriptor(matmul(a, other));
        return self;
      },
      "other"_a);
}

}  // namespace assay::python
