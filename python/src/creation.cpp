// Functions that make arrays from numbers.
#include "arguments.h"
#include "assay/ops.h"
#include "bindings.h"
#include "convert.h"
#include "dlpack.h"
#include "host_memory.h"

namespace assay::python {
namespace {

// A Python number that is still int or float: arange() takes its type from them.
struct Number {
  double value;
  Dtype dtype;

  explicit Number(py::handle number) : value(0), dtype(int32) {
    if (is_array(number)) {
      array a = number.cast<const array&>();
      dtype = a.dtype();
      evaluate(a);
      value = a.item<double>();
      return;
    }
    if (PyFloat_Check(number.ptr())) dtype = float32;
    if (!PyFloat_Check(number.ptr()) && PyIndex_Check(number.ptr()) == 0) {
      throw py::type_error(std::string("expected an int or a float, not ") +
                           Py_TYPE(number.ptr())->tp_name);
    }
    value = py::float_(py::reinterpret_borrow<py::object>(number));
    if (dtype == int32 && (value > 2147483647.0 || value < -2147483648.0)) dtype = int64;
  }
};

array make_range(py::object start, py::object stop, const py::object& step, OptionalDtype dtype,
                 StreamOrDevice stream) {
  if (stop.is_none()) {
    stop = start;
    start = py::int_(0);
  }
  const Number first(start), end(stop), by(step.is_none() ? py::int_(1) : step);
  Dtype common = promote_types(first.dtype, end.dtype);
  if (!step.is_none()) common = promote_types(common, by.dtype);
  return arange(first.value, end.value, by.value, dtype.value_or(common), stream);
}

void bind_ranges(py::module_& m) {
  // arange(stop, step=2) leaves start out.
  m.def(
      "arange",
      [](const py::object& start, const py::object& stop, const py::object& step,
         OptionalDtype dtype,
         StreamOrDevice stream) { return make_range(start, stop, step, dtype, stream); },
      "start"_a, "stop"_a, "step"_a = py::none(), "dtype"_a = py::none(), py::kw_only(),
      "stream"_a = py::none(),
      "Numbers from start (0) up to, but not including, stop in steps (1).");
  m.def(
      "arange",
      [](const py::object& stop, const py::object& step, OptionalDtype dtype,
         StreamOrDevice stream) { return make_range(stop, py::none(), step, dtype, stream); },
      "stop"_a, "step"_a = py::none(), "dtype"_a = py::none(), py::kw_only(),
      "stream"_a = py::none());
  m.def(
      "linspace",
      [](const py::object& start, const py::object& stop, int num, bool endpoint,
         OptionalDtype dtype, StreamOrDevice stream) {
        return linspace(Number(start).value, Number(stop).value, num, endpoint,
                        dtype.value_or(float32), stream);
      },
      "start"_a, "stop"_a, "num"_a = 50, "endpoint"_a = true, "dtype"_a = float32,
      "stream"_a = py::none(), "Numbers at equal distances from start to stop.");
}

void bind_filled(py::module_& m) {
  m.def(
      "full",
      [](const ShapeArgument& shape, const Operand& vals, OptionalDtype dtype,
         StreamOrDevice stream) {
        const array values = to_array(vals, dtype);
        return full(shape.shape, values, dtype.value_or(values.dtype()), stream);
      },
      "shape"_a, "vals"_a, "dtype"_a = py::none(), py::kw_only(), "stream"_a = py::none(),
      "An array of a shape with a value, or with values broadcast to it.");
  m.def(
      "full_like",
      [](const Operand& a, const Operand& vals, OptionalDtype dtype, StreamOrDevice stream) {
        const array like = to_array(a);
        const Dtype type = dtype.value_or(like.dtype());
        return full_like(like, to_array(vals, type), type, stream);
      },
      "a"_a, "vals"_a, "dtype"_a = py::none(), py::kw_only(), "stream"_a = py::none(),
      "An array with the shape of another one, filled with a value.");
  const auto define = [&m](const char* name, array (*make)(const Shape&, Dtype, StreamOrDevice),
                           const char* doc) {
    m.def(
        name,
        [make](const ShapeArgument& shape, OptionalDtype dtype, StreamOrDevice stream) {
          return make(shape.shape, dtype.value_or(float32), stream);
        },
        "shape"_a, "dtype"_a = float32, py::kw_only(), "stream"_a = py::none(), doc);
  };
  define("zeros", &zeros, "An array of zeros.");
  define("ones", &ones, "An array of ones.");
  const auto define_like =
      [&m](const char* name, array (*make)(const array&, Dtype, StreamOrDevice), const char* doc) {
        m.def(
            name,
            [make](const Operand& a, OptionalDtype dtype, StreamOrDevice stream) {
              const array like = to_array(a);
              return make(like, dtype.value_or(like.dtype()), stream);
            },
            "a"_a, "dtype"_a = py::none(), py::kw_only(), "stream"_a = py::none(), doc);
      };
  define_like("zeros_like", &zeros_like, "Zeros in the shape of an array.");
  define_like("ones_like", &ones_like, "Ones in the shape of an array.");
  m.attr("empty") = m.attr("zeros");
  m.attr("empty_like") = m.attr("zeros_like");
}

void bind_matrices(py::module_& m) {
  m.def(
      "eye",
      [](int n, std::optional<int> columns, int k, OptionalDtype dtype, StreamOrDevice stream) {
        return eye(n, columns.value_or(n), k, dtype.value_or(float32), stream);
      },
      "n"_a, "m"_a = py::none(), "k"_a = 0, "dtype"_a = float32, py::kw_only(),
      "stream"_a = py::none(), "Ones on the k-th diagonal and zeros elsewhere.");
  m.def(
      "identity",
      [](int n, OptionalDtype dtype, StreamOrDevice stream) {
        return identity(n, dtype.value_or(float32), stream);
      },
      "n"_a, "dtype"_a = float32, py::kw_only(), "stream"_a = py::none(),
      "The square identity matrix.");
  m.def(
      "tri",
      [](int n, std::optional<int> columns, int k, OptionalDtype dtype, StreamOrDevice stream) {
        return tri(n, columns.value_or(n), k, dtype.value_or(float32), stream);
      },
      "n"_a, "m"_a = py::none(), "k"_a = 0, "dtype"_a = float32, py::kw_only(),
      "stream"_a = py::none(), "Ones on and below the k-th diagonal.");
  m.def("tril", &tril, "x"_a, "k"_a = 0, py::kw_only(), "stream"_a = py::none(),
        "A matrix with zeros above the k-th diagonal.");
  m.def("triu", &triu, "x"_a, "k"_a = 0, py::kw_only(), "stream"_a = py::none(),
        "A matrix with zeros below the k-th diagonal.");
  m.def("diag", &diag, "a"_a, "k"_a = 0, py::kw_only(), "stream"_a = py::none(),
        "The k-th diagonal of a matrix, or a matrix with this diagonal.");
  m.def("diagonal", &diagonal, "a"_a, "offset"_a = 0, "axis1"_a = 0, "axis2"_a = 1,
        "stream"_a = py::none(), "Diagonals along two axes.");
  m.def(
      "meshgrid",
      [](const py::args& arrays, bool sparse, const std::string& indexing, StreamOrDevice stream) {
        return py::tuple(
            py::cast(meshgrid(arrays.cast<std::vector<array>>(), sparse, indexing, stream)));
      },
      "sparse"_a = false, "indexing"_a = "xy", "stream"_a = py::none(),
      "Coordinates of a grid from the coordinates along its axes.");
}

// Elements of another type than asked for need memory of their own; doubles are asked for as
// floats.
bool keeps_type(const HostMemory& memory, OptionalDtype dtype) {
  return dtype.value_or(memory.dtype == float64 ? float32 : memory.dtype) == memory.dtype;
}

array import_array(const py::object& value, OptionalDtype dtype, std::optional<bool> is_copied) {
  const bool must_share = is_copied == false;
  if (is_copied != true && !is_array(value)) {
    const std::optional<HostMemory> memory = find_host_memory(value);
    if (memory && keeps_type(*memory, dtype)) {
      // Who shows an array's memory shows it as writable, so that what may not be written is copied
      // unless the caller insists.
      const bool is_shared = must_share || !memory->is_read_only;
      const std::optional<array> made = is_shared ? share_memory(*memory) : copy_layout(*memory);
      if (made) return *made;
    }
  }
  if (must_share) {
    throw std::invalid_argument(
        "[convert] Unable to avoid copy while creating an array as requested.");
  }
  return create_array(value, dtype);
}

array import_dlpack(const py::object& value, std::optional<bool> is_copied) {
  if (!has_dlpack(value)) throw py::type_error("from_dlpack() needs an object with __dlpack__.");
  if (!is_array(value)) {
    const std::optional<HostMemory> memory = find_host_memory(value);
    if (memory && has_negative_strides(*memory)) {
      throw std::invalid_argument(
          "Cannot convert DLPack arrays with negative strides to mlx array.");
    }
  }
  return import_array(value, std::nullopt, is_copied);
}

}  // namespace

void bind_creation(py::module_& m) {
  bind_ranges(m);
  bind_filled(m);
  bind_matrices(m);
  m.def("asarray", &import_array, "a"_a, "dtype"_a = py::none(), py::kw_only(),
        "copy"_a = py::none(),
        "An array from a number, a list, a buffer or a DLPack object. Memory is shared where "
        "possible; copy=True never shares, copy=False raises ValueError where a copy is needed.");
  m.def("from_dlpack", &import_dlpack, "x"_a, py::kw_only(), "copy"_a = py::none(),
        "An array from an object with __dlpack__, on its memory where possible.");
}

}  // namespace assay::python
