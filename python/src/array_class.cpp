// The array class: construction, facts, values and Python's protocols. Operators and methods have
// files of their own.
#include "arguments.h"
#include "assay/ops.h"
#include "assay/print.h"
#include "bindings.h"
#include "convert.h"
#include "dlpack.h"
#include "indexing.h"
#include "interpreter.h"
#include "pybind11/complex.h"

namespace assay::python {
namespace {

// x.at: waits for the index.
struct ArrayAt {
  array source;
  std::optional<py::object> index = std::nullopt;

  array update(py::handle value, UpdateKind kind) const {
    if (!index) {
      throw std::invalid_argument("Must give indices to array.at (e.g. `x.at[0].add(4)`).");
    }
    return update_item(source, *index, value, kind);
  }
};

class ArrayIterator {
 public:
  explicit ArrayIterator(array source) : source_(std::move(source)) {
    if (source_.ndim() == 0) throw py::type_error("iteration over a 0-d array");
  }
  array next() {
    if (position_ >= source_.shape(0)) throw py::stop_iteration();
    return get_item(source_, py::int_(position_++));
  }

 private:
  array source_;
  ShapeElem position_ = 0;
};

std::string text_of(const array& a) {
  const ReleasedInterpreter released;
  return to_text(a);
}

py::object format_array(const array& a, const py::str& format) {
  if (a.ndim() == 0) {
    const py::object value = to_scalar(a);
    return py::reinterpret_steal<py::object>(PyObject_Format(value.ptr(), format.ptr()));
  }
  if (py::len(format) > 0) {
    throw py::type_error("unsupported format string passed to mx.array.__format__");
  }
  return py::str(text_of(a));
}

void bind_helpers(py::module_& m) {
  py::class_<ArrayAt> at(m, "ArrayAt", "Updates elements; those named twice are updated twice.");
  at.def(
      "__getitem__",
      [](ArrayAt self, py::object index) {
        self.index = std::move(index);
        return self;
      },
      "indices"_a);
  constexpr std::pair<const char*, UpdateKind> kUpdates[] = {
      {"add", UpdateKind::kAdd},           {"subtract", UpdateKind::kSubtract},
      {"multiply", UpdateKind::kMultiply}, {"divide", UpdateKind::kDivide},
      {"maximum", UpdateKind::kMaximum},   {"minimum", UpdateKind::kMinimum}};
  for (const auto& [name, kind] : kUpdates) {
    at.def(
        name,
        [kind = kind](const ArrayAt& self, const Operand& value) {
          return self.update(value.value, kind);
        },
        "value"_a, "A copy with the elements at the index combined with the value.");
  }
  py::class_<ArrayIterator>(m, "ArrayIterator", "Walks along the first axis of an array.")
      .def("__next__", &ArrayIterator::next)
      .def("__iter__", [](const py::object& self) { return self; });
}

void bind_facts(py::class_<array>& cls) {
  cls.def_property_readonly("size", &array::size, "Number of elements.")
      .def_property_readonly("ndim", &array::ndim, "Number of axes.")
      .def_property_readonly("itemsize", &array::itemsize, "Bytes of one element.")
      .def_property_readonly("nbytes", &array::nbytes, "Bytes of all elements.")
      .def_property_readonly(
          "shape", [](const array& a) { return to_tuple(a.shape()); }, "Elements along each axis.")
      .def_property_readonly("dtype", &array::dtype, "Type of the elements.")
      .def_property_readonly(
          "real", [](const array& a) { return real(a); }, "Real parts.")
      .def_property_readonly(
          "imag", [](const array& a) { return imag(a); }, "Imaginary parts.")
      .def_property_readonly(
          "T", [](const array& a) { return transpose(a); }, "The array with its axes reversed.")
      .def_property_readonly(
          "at", [](const array& a) { return ArrayAt{a}; },
          "x.at[index].add(value) and the like: updates that also count elements named twice.");
}

void bind_values(py::class_<array>& cls) {
  cls.def("item", &to_scalar, "The value of an array with one element.")
      .def("tolist", &to_list, "The values as a nested list, or as a number.")
      .def("__repr__", &text_of)
      .def("__format__", &format_array)
      .def("__bool__", [](const array& a) { return py::bool_(to_scalar(a)); })
      .def("__int__", [](const array& a) { return py::int_(to_scalar(a)); })
      .def("__float__", [](const array& a) { return py::float_(to_scalar(a)); })
      .def("__complex__", [](const array& a) { return to_scalar(a).cast<std::complex<double>>(); })
      .def(
          "__array__",
          [](const array& a, const py::object& dtype, const py::object&) {
            const py::object values = to_numpy(a);
            return dtype.is_none() ? values : values.attr("astype")(dtype);
          },
          "dtype"_a = py::none(), "copy"_a = py::none())
      .def(
          "__dlpack__",
          [](const array& a, const py::object&, const py::object&,
             std::optional<std::pair<int, int>> device, std::optional<bool> is_copied) {
            return to_dlpack(is_copied.value_or(false) ? copy(a) : a, device);
          },
          py::kw_only(), "stream"_a = py::none(), "max_version"_a = py::none(),
          "dl_device"_a = py::none(), "copy"_a = py::none())
      .def("__dlpack_device__", [](const array&) { return std::pair(kDlpackCpu, 0); })
      .def(
          "__array_namespace__",
          [](const array&, const py::object& version) {
            if (!version.is_none()) {
              throw std::invalid_argument(
                  "Explicitly specifying api_version is not yet implemented.");
            }
            return py::module_::import("assay.core");
          },
          "api_version"_a = py::none());
}

array from_state(const py::tuple& state) {
  if (state.size() != 2) {
    throw std::invalid_argument("Invalid pickle state: expected (ndarray, Dtype::Val)");
  }
  const auto kind = static_cast<Dtype::Val>(state[1].cast<int>());
  if (kind == Dtype::Val::bfloat16) return view(create_array(state[0], uint16), bfloat16);
  return create_array(state[0],
                      kind == Dtype::Val::float64 ? OptionalDtype(float64) : OptionalDtype());
}

void bind_protocols(py::class_<array>& cls) {
  cls.def("__len__",
          [](const array& a) {
            if (a.ndim() == 0) throw py::type_error("len() 0-dimensional array.");
            return a.shape(0);
          })
      .def("__iter__", [](const array& a) { return ArrayIterator(a); })
      .def("__getitem__",
           [](const array& a, const py::object& index) { return get_item(a, index); })
      .def("__setitem__", [](array& a, const py::object& index,
                             const py::object& value) { set_item(a, index, value); })
      // Equality is element-wise, so that arrays in sets are told apart by identity.
      .def("__hash__",
           [](const py::object& self) { return reinterpret_cast<std::intptr_t>(self.ptr()) >> 4; })
      .def("__copy__", [](const array& a) { return array(a); })
      .def(
          "__deepcopy__", [](const array& a, const py::dict&) { return array(a); }, "memo"_a)
      .def(py::pickle(
          [](const array& a) {
            const array values = a.dtype() == bfloat16 ? view(a, uint16) : a;
            return py::make_tuple(to_numpy(values), static_cast<int>(a.dtype().val()));
          },
          &from_state));
}

}  // namespace

void bind_array(py::module_& m) {
  py::class_<array> cls(m, "array", "An n-dimensional array, computed when its values are needed.");
  set_array_type(cls);
  cls.def(py::init([](const py::object& value, OptionalDtype dtype) {
            return create_array(value, dtype);
          }),
          "val"_a, "dtype"_a = py::none());
  bind_helpers(m);
  add_buffer_protocol(cls);
  bind_facts(cls);
  bind_values(cls);
  bind_protocols(cls);
  bind_array_operators(cls);
}

}  // namespace assay::python
