// Dtype, its categories and limits.
#include "assay/dtype.h"

#include "arguments.h"
#include "assay/ops.h"
#include "bindings.h"

namespace assay::python {
namespace {

constexpr Dtype kDtypes[] = {bool_, uint8, uint16,  uint32,  uint64,  int8,     int16,
                             int32, int64, float16, float32, float64, bfloat16, complex64};

// Scripts that import mlx.core see that name.
std::string module_name() {
  const py::dict modules = py::module_::import("sys").attr("modules");
  return modules.contains("mlx.core") ? "mlx.core" : "assay.core";
}

using DtypeOrCategory = std::variant<Dtype::Category, Dtype>;

bool is_subtype(const DtypeOrCategory& a, const DtypeOrCategory& b) {
  return std::visit([](const auto& x, const auto& y) { return issubdtype(x, y); }, a, b);
}

bool is_of_kind(Dtype dtype, py::handle kind) {
  if (py::isinstance<Dtype>(kind)) return dtype == kind.cast<Dtype>();
  const auto name = kind.cast<std::string>();
  if (name == "bool") return dtype == bool_;
  if (name == "signed integer") return issubdtype(dtype, signedinteger);
  if (name == "unsigned integer") return issubdtype(dtype, unsignedinteger);
  if (name == "integral") return issubdtype(dtype, integer);
  if (name == "real floating") return issubdtype(dtype, floating);
  if (name == "complex floating") return issubdtype(dtype, complexfloating);
  if (name == "numeric") return issubdtype(dtype, number);
  throw std::invalid_argument("[isdtype] Unknown kind '" + name + "'.");
}

Dtype type_of(py::handle value) {
  return is_array(value) ? value.cast<const array&>().dtype() : value.cast<Dtype>();
}

std::string number_text(double value) {
  char text[32];
  PyOS_snprintf(text, sizeof text, "%g", value);
  return text;
}

void bind_limits(py::module_& m) {
  py::class_<finfo>(m, "finfo", "Limits of a floating-point type.")
      .def(py::init<Dtype>(), "dtype"_a)
      .def_readonly("bits", &finfo::bits, "Bits of one element.")
      .def_readonly("min", &finfo::min, "The lowest finite number.")
      .def_readonly("max", &finfo::max, "The highest finite number.")
      .def_readonly("eps", &finfo::eps, "The distance from 1 to the next larger number.")
      .def_readonly("smallest_normal", &finfo::smallest_normal,
                    "The lowest positive normal number.")
      .def_readonly("dtype", &finfo::dtype, "The type described.")
      .def("__repr__", [](const finfo& info) {
        return "finfo(min=" + number_text(info.min) + ", max=" + number_text(info.max) +
               ", dtype=" + std::string(dtype_name(info.dtype)) + ")";
      });
  py::class_<iinfo>(m, "iinfo", "Limits of an integer type.")
      .def(py::init<Dtype>(), "dtype"_a)
      .def_readonly("bits", &iinfo::bits, "Bits of one element.")
      .def_readonly("min", &iinfo::min, "The lowest number.")
      .def_readonly("max", &iinfo::max, "The highest number.")
      .def_readonly("dtype", &iinfo::dtype, "The type described.")
      .def("__repr__", [](const iinfo& info) {
        return "iinfo(min=" + std::to_string(info.min) + ", max=" + std::to_string(info.max) +
               ", dtype=" + std::string(dtype_name(info.dtype)) + ")";
      });
}

void bind_queries(py::module_& m) {
  m.def("issubdtype", &is_subtype, "arg1"_a, "arg2"_a,
        "Whether a type or category is the second one or lies below it.");
  m.def(
      "isdtype",
      [](Dtype dtype, const py::object& kind) {
        if (!py::isinstance<py::tuple>(kind)) return is_of_kind(dtype, kind);
        for (const py::handle one : kind) {
          if (is_of_kind(dtype, one)) return true;
        }
        return false;
      },
      "dtype"_a, "kind"_a,
      "Whether a type is of a kind of the array API standard, or of one of several.");
  m.def(
      "can_cast",
      [](const py::object& from, Dtype to) { return promote_types(type_of(from), to) == to; },
      "from_"_a, "to"_a, "Whether promotion with a type gives that type.");
  m.def(
      "result_type",
      [](const py::args& values) {
        if (values.empty()) {
          throw std::invalid_argument("[result_type] At least one array or dtype is required.");
        }
        Dtype result = type_of(values[0]);
        for (const py::handle value : values) result = promote_types(result, type_of(value));
        return result;
      },
      "The type that arrays and types promote to.");
}

}  // namespace

void bind_dtype(py::module_& m) {
  py::class_<Dtype>(m, "Dtype", "The type of an array's elements.")
      .def_property_readonly("size", &Dtype::size, "Bytes of one element.")
      .def("__repr__",
           [](const Dtype& dtype) { return module_name() + "." + std::string(dtype_name(dtype)); })
      .def("__eq__",
           [](const Dtype& dtype, const py::object& other) {
             return py::isinstance<Dtype>(other) && dtype == other.cast<Dtype>();
           })
      .def("__hash__", [](const Dtype& dtype) { return static_cast<int>(dtype.val()); })
      .def(py::pickle([](const Dtype& dtype) { return static_cast<int>(dtype.val()); },
                      [](int kind) {
                        for (const Dtype dtype : kDtypes) {
                          if (static_cast<int>(dtype.val()) == kind) return dtype;
                        }
                        throw std::invalid_argument("Invalid pickle state of a Dtype.");
                      }));
  for (const Dtype dtype : kDtypes) {
    const std::string name(dtype_name(dtype));
    m.attr(dtype == bool_ ? "bool_" : name.c_str()) = dtype;
  }
  py::enum_<Dtype::Category>(m, "DtypeCategory", "Groups of types, as a tree below generic.")
      .value("complexfloating", complexfloating)
      .value("floating", floating)
      .value("inexact", inexact)
      .value("signedinteger", signedinteger)
      .value("unsignedinteger", unsignedinteger)
      .value("integer", integer)
      .value("number", number)
      .value("generic", generic)
      .export_values();
  bind_limits(m);
  bind_queries(m);
}

}  // namespace assay::python
