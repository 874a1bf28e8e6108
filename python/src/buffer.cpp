// Python's buffer protocol in both directions; NumPy arrays come and go this way.
#include <complex>
#include <cstring>
#include <memory>

#include "convert.h"
#include "host_memory.h"

namespace assay::python {
namespace {

// Filled by PyObject_GetBuffer, released with the object. Some exporters let the struct point into
// itself, so that it must not move.
class ReadBuffer {
 public:
  explicit ReadBuffer(py::handle value) {
    if (PyObject_CheckBuffer(value.ptr()) == 0) return;
    is_held_ = PyObject_GetBuffer(value.ptr(), &view_, PyBUF_RECORDS_RO) == 0;
    if (!is_held_) PyErr_Clear();
  }
  ReadBuffer(const ReadBuffer&) = delete;
  ReadBuffer& operator=(const ReadBuffer&) = delete;
  ~ReadBuffer() {
    if (is_held_) PyBuffer_Release(&view_);
  }

  // False for objects without a buffer.
  explicit operator bool() const { return is_held_; }
  const Py_buffer& view() const { return view_; }
  Shape shape() const {
    Shape shape;
    for (int i = 0; i < view_.ndim; ++i) shape.push_back(to_dimension(py::int_(view_.shape[i])));
    return shape;
  }
  // The elements in rows, copied if they are not already.
  const void* rows(std::vector<std::byte>& copy) const {
    if (PyBuffer_IsContiguous(&view_, 'C') != 0) return view_.buf;
    copy.resize(static_cast<size_t>(view_.len));
    if (PyBuffer_ToContiguous(copy.data(), &view_, view_.len, 'C') != 0) {
      throw py::error_already_set();
    }
    return copy.data();
  }

 private:
  Py_buffer view_ = {};
  bool is_held_ = false;
};

std::string_view format_of(const Py_buffer& view) {
  std::string_view format = view.format != nullptr ? view.format : "B";
  while (!format.empty() && std::string_view("@=<").find(format[0]) != std::string_view::npos) {
    format.remove_prefix(1);
  }
  return format;
}

// Doubles have no array type of their own unless asked for: NumPy makes them everywhere.
template <typename T>
array from_rows(const void* rows, Shape shape, OptionalDtype dtype) {
  if constexpr (std::is_same_v<T, std::complex<double>>) {
    const auto* values = static_cast<const T*>(rows);
    size_t count = 1;
    for (const ShapeElem extent : shape) count *= static_cast<size_t>(extent);
    const std::vector<complex64_t> narrow(values, values + count);
    return array(narrow.data(), std::move(shape), dtype.value_or(complex64));
  } else {
    return array(static_cast<const T*>(rows), std::move(shape), dtype.value_or(TypeToDtype<T>()));
  }
}

template <typename Signed, typename Unsigned>
array from_integers(bool is_signed, const void* rows, Shape shape, OptionalDtype dtype) {
  return is_signed ? from_rows<Signed>(rows, std::move(shape), dtype)
                   : from_rows<Unsigned>(rows, std::move(shape), dtype);
}

// Sizes decide between integer letters: "l" has 4 or 8 bytes.
std::optional<array> from_typed_rows(std::string_view format, size_t size, const void* rows,
                                     Shape shape, OptionalDtype dtype) {
  if (format == "?") return from_rows<bool>(rows, std::move(shape), dtype);
  if (format == "e") return from_rows<float16_t>(rows, std::move(shape), dtype);
  if (format == "f") return from_rows<float>(rows, std::move(shape), dtype);
  if (format == "d") return from_rows<double>(rows, std::move(shape), dtype);
  if (format == "Zf") return from_rows<complex64_t>(rows, std::move(shape), dtype);
  if (format == "Zd") return from_rows<std::complex<double>>(rows, std::move(shape), dtype);
  if (format == "bfloat16") return from_rows<bfloat16_t>(rows, std::move(shape), dtype);
  if (format.size() != 1) return std::nullopt;
  const bool is_signed = std::string_view("bhilqn").find(format[0]) != std::string_view::npos;
  if (!is_signed && std::string_view("BHILQN").find(format[0]) == std::string_view::npos) {
    return std::nullopt;
  }
  switch (size) {
    case 1: return from_integers<int8_t, uint8_t>(is_signed, rows, std::move(shape), dtype);
    case 2: return from_integers<int16_t, uint16_t>(is_signed, rows, std::move(shape), dtype);
    case 4: return from_integers<int32_t, uint32_t>(is_signed, rows, std::move(shape), dtype);
    default: return from_integers<int64_t, uint64_t>(is_signed, rows, std::move(shape), dtype);
  }
}

// The type whose elements are bytes of this format, if arrays have it.
std::optional<Dtype> find_type(std::string_view format, size_t size) {
  for (const Dtype dtype : {bool_, uint8, uint16, uint32, uint64, int8, int16, int32, int64,
                            float16, float32, float64, bfloat16, complex64}) {
    if (dtype.size() != size) continue;
    if (format == buffer_format(dtype)) return dtype;
    // Integers of one size have several letters.
    const bool is_same_kind =
        format.size() == 1 &&
        ((kindof(dtype) == Dtype::Kind::i &&
          std::string_view("bhilqn").find(format[0]) != std::string_view::npos) ||
         (kindof(dtype) == Dtype::Kind::u &&
          std::string_view("BHILQN").find(format[0]) != std::string_view::npos));
    if (is_same_kind) return dtype;
  }
  return std::nullopt;
}

// NumPy knows bfloat16 only through packages that export no buffer of it.
bool is_numpy_bfloat(py::handle value) {
  return py::hasattr(value, "dtype") && py::hasattr(value, "view") &&
         py::str(value.attr("dtype")).cast<std::string>() == "bfloat16";
}

// What a view of an array points to: the array outlives a handle that is assigned to meanwhile.
struct ExportedView {
  array owner;
  std::vector<Py_ssize_t> shape;
  std::vector<Py_ssize_t> strides;
};

int get_buffer(PyObject* object, Py_buffer* view, int flags) {
  std::memset(view, 0, sizeof(Py_buffer));
  try {
    auto exported = std::make_unique<ExportedView>(py::handle(object).cast<array>());
    array& a = exported->owner;
    evaluate(a);
    const auto item = static_cast<Py_ssize_t>(a.itemsize());
    exported->shape.assign(a.shape().begin(), a.shape().end());
    for (const int64_t stride : a.strides()) exported->strides.push_back(stride * item);
    view->buf = a.data<void>();
    view->itemsize = item;
    view->len = static_cast<Py_ssize_t>(a.nbytes());
    view->ndim = static_cast<int>(a.ndim());
    view->format =
        (flags & PyBUF_FORMAT) != 0 ? const_cast<char*>(buffer_format(a.dtype())) : nullptr;
    view->shape = (flags & PyBUF_ND) != 0 ? exported->shape.data() : nullptr;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? exported->strides.data() : nullptr;
    view->internal = exported.release();
    view->obj = Py_NewRef(object);
    return 0;
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_BufferError, error.what());
    return -1;
  }
}

void release_buffer(PyObject*, Py_buffer* view) {
  const std::unique_ptr<ExportedView> exported(static_cast<ExportedView*>(view->internal));
}

}  // namespace

const char* buffer_format(Dtype dtype) {
  switch (dtype.val()) {
    case Dtype::Val::bool_: return "?";
    case Dtype::Val::uint8: return "B";
    case Dtype::Val::uint16: return "H";
    case Dtype::Val::uint32: return "I";
    case Dtype::Val::uint64: return "Q";
    case Dtype::Val::int8: return "b";
    case Dtype::Val::int16: return "h";
    case Dtype::Val::int32: return "i";
    case Dtype::Val::int64: return "q";
    case Dtype::Val::float16: return "e";
    case Dtype::Val::float32: return "f";
    case Dtype::Val::float64: return "d";
    case Dtype::Val::bfloat16: return "bfloat16";
    case Dtype::Val::complex64: return "Zf";
  }
  return "";
}

std::optional<array> from_buffer(py::handle value, OptionalDtype dtype) {
  const ReadBuffer buffer(value);
  if (!buffer) {
    if (!is_numpy_bfloat(value)) return std::nullopt;
    const py::object bits = value.attr("view")("uint16");
    const ReadBuffer words(bits);
    std::vector<std::byte> copy;
    return from_rows<bfloat16_t>(words.rows(copy), words.shape(), dtype);
  }
  const Py_buffer& view = buffer.view();
  const std::string_view format = format_of(view);
  std::vector<std::byte> copy;
  std::optional<array> made = from_typed_rows(format, static_cast<size_t>(view.itemsize),
                                              buffer.rows(copy), buffer.shape(), dtype);
  if (!made) {
    throw std::invalid_argument("[convert] Arrays have no elements of the type '" +
                                std::string(format) + "'.");
  }
  return made;
}

std::optional<HostMemory> view_buffer(py::handle value) {
  std::shared_ptr<ReadBuffer> buffer(new ReadBuffer(value), [](const ReadBuffer* held) {
    release_with_interpreter([held] { delete held; });
  });
  if (!*buffer) return std::nullopt;
  const Py_buffer& view = buffer->view();
  const std::optional<Dtype> dtype = find_type(format_of(view), static_cast<size_t>(view.itemsize));
  if (!dtype || view.suboffsets != nullptr) return std::nullopt;
  return HostMemory{.data = static_cast<std::byte*>(view.buf),
                    .dtype = *dtype,
                    .shape = buffer->shape(),
                    .strides = {view.strides, view.strides + view.ndim},
                    .is_read_only = view.readonly != 0,
                    .owner = std::move(buffer)};
}

py::object to_numpy(const array& a) {
  if (a.dtype() == bfloat16) {
    throw py::type_error("bfloat16 arrays cannot be converted to NumPy.");
  }
  array values = a;
  evaluate(values);  // throws what went wrong, where a view could only say that there is none
  // The view's owner is a new Python array: the caller may assign to its own.
  const auto view =
      py::reinterpret_steal<py::object>(PyMemoryView_FromObject(py::cast(values).ptr()));
  if (!view) throw py::error_already_set();
  return py::module_::import("numpy").attr("asarray")(view);
}

void add_buffer_protocol(py::handle array_class) {
  auto* type = reinterpret_cast<PyHeapTypeObject*>(array_class.ptr());
  type->as_buffer.bf_getbuffer = get_buffer;
  type->as_buffer.bf_releasebuffer = release_buffer;
  type->ht_type.tp_as_buffer = &type->as_buffer;
}

}  // namespace assay::python
