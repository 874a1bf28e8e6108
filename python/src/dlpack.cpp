// See dlpack.h. The structs follow the published binary interface of DLPack 0.8 and 1.0.
#include "dlpack.h"

#include <cstring>
#include <memory>

#include "convert.h"

namespace assay::python {
namespace {

constexpr uint8_t kInt = 0, kUint = 1, kFloat = 2, kBfloat = 4, kComplex = 5, kBool = 6;

struct DlpackType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};
struct DlpackTensor {
  void* data;
  int32_t device_type;
  int32_t device_id;
  int32_t ndim;
  DlpackType dtype;
  int64_t* shape;
  int64_t* strides;  // in elements; null: rows follow one another
  uint64_t byte_offset;
};
struct DlpackManaged {
  DlpackTensor tensor;
  void* context;
  void (*deleter)(DlpackManaged*);
};
struct DlpackVersioned {
  uint32_t major;
  uint32_t minor;
  void* context;
  void (*deleter)(DlpackVersioned*);
  uint64_t flags;
  DlpackTensor tensor;
};

constexpr const char* kName = "dltensor";
constexpr const char* kUsedName = "used_dltensor";
constexpr const char* kVersionedName = "dltensor_versioned";
constexpr const char* kUsedVersionedName = "used_dltensor_versioned";

DlpackType type_of(Dtype dtype) {
  const auto bits = static_cast<uint8_t>(8 * dtype.size());
  switch (kindof(dtype)) {
    case Dtype::Kind::b: return {kBool, bits, 1};
    case Dtype::Kind::u: return {kUint, bits, 1};
    case Dtype::Kind::i: return {kInt, bits, 1};
    case Dtype::Kind::c: return {kComplex, bits, 1};
    default: return {dtype == bfloat16 ? kBfloat : kFloat, bits, 1};
  }
}

Dtype dtype_of(DlpackType type) {
  for (const Dtype dtype : {bool_, uint8, uint16, uint32, uint64, int8, int16, int32, int64,
                            float16, float32, float64, bfloat16, complex64}) {
    const DlpackType candidate = type_of(dtype);
    if (candidate.code == type.code && candidate.bits == type.bits && type.lanes == 1) return dtype;
  }
  throw std::invalid_argument("[convert] Cannot convert array to mlx: unknown DLPack type.");
}

// A tensor taken over from its producer, given back when the last user lets go.
using TensorPtr = std::shared_ptr<const DlpackTensor>;

template <typename Managed>
TensorPtr take_over(py::handle capsule, const char* name, const char* used_name) {
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (managed == nullptr) throw py::error_already_set();
  PyCapsule_SetName(capsule.ptr(), used_name);
  return {&managed->tensor, [managed](const DlpackTensor*) {
            // Producers may touch Python objects.
            const py::gil_scoped_acquire lock;
            if (managed->deleter != nullptr) managed->deleter(managed);
          }};
}

TensorPtr request_tensor(py::handle value) {
  const py::object capsule = value.attr("__dlpack__")();
  return PyCapsule_IsValid(capsule.ptr(), kVersionedName) != 0
             ? take_over<DlpackVersioned>(capsule, kVersionedName, kUsedVersionedName)
             : take_over<DlpackManaged>(capsule, kName, kUsedName);
}

bool has_rows(const DlpackTensor& tensor) {
  if (tensor.strides == nullptr) return true;
  int64_t expected = 1;
  for (int i = tensor.ndim - 1; i >= 0; --i) {
    if (tensor.shape[i] != 1 && tensor.strides[i] != expected) return false;
    expected *= tensor.shape[i];
  }
  return true;
}

void copy_rows(const DlpackTensor& tensor, int axis, const std::byte* from, size_t item,
               std::byte*& to) {
  if (axis == tensor.ndim) {
    std::memcpy(to, from, item);
    to += item;
    return;
  }
  for (int64_t i = 0; i < tensor.shape[axis]; ++i) {
    copy_rows(tensor, axis + 1, from + i * tensor.strides[axis] * static_cast<int64_t>(item), item,
              to);
  }
}

// What an exported capsule owns.
struct Exported {
  array owner;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  DlpackManaged managed = {};
};

void delete_exported(DlpackManaged* managed) {
  const std::unique_ptr<Exported> exported(static_cast<Exported*>(managed->context));
}

void delete_unused(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, kName) == 0) return;
  auto* managed = static_cast<DlpackManaged*>(PyCapsule_GetPointer(capsule, kName));
  managed->deleter(managed);
}

}  // namespace

bool has_dlpack(py::handle value) { return py::hasattr(value, "__dlpack__"); }

array from_dlpack(py::handle value, OptionalDtype dtype) {
  TensorPtr tensor = request_tensor(value);
  if (tensor->device_type != kDlpackCpu) {
    throw std::invalid_argument("[convert] Unsupported device: only CPU memory can be imported.");
  }
  const Dtype source = dtype_of(tensor->dtype);
  Shape shape;
  size_t count = 1;
  for (int i = 0; i < tensor->ndim; ++i) {
    shape.push_back(to_dimension(py::int_(tensor->shape[i])));
    count *= static_cast<size_t>(tensor->shape[i]);
  }
  auto* data = static_cast<std::byte*>(tensor->data) + tensor->byte_offset;
  const Dtype target = dtype.value_or(source == float64 ? float32 : source);
  std::vector<std::byte> copy;
  if (!has_rows(*tensor) && count != 0) {
    copy.resize(count * source.size());
    std::byte* to = copy.data();
    copy_rows(*tensor, 0, data, source.size(), to);
    data = copy.data();
  } else if (source == target) {
    return array(data, std::move(shape), source, [tensor](void*) mutable { tensor.reset(); });
  }
  return visit_dtype(source, [&](auto sample) {
    return array(reinterpret_cast<const decltype(sample)*>(data), std::move(shape), target);
  });
}

py::capsule to_dlpack(const array& a, std::optional<std::pair<int, int>> device) {
  if (device && device->first != kDlpackCpu) {
    PyErr_SetString(PyExc_BufferError, "Arrays can only be exported to the CPU, DLPack device 1.");
    throw py::error_already_set();
  }
  auto exported = std::make_unique<Exported>(a);
  array& owner = exported->owner;
  evaluate(owner);
  exported->shape.assign(owner.shape().begin(), owner.shape().end());
  exported->strides = owner.strides();
  exported->managed = {.tensor = {.data = owner.data<void>(),
                                  .device_type = kDlpackCpu,
                                  .device_id = 0,
                                  .ndim = static_cast<int32_t>(owner.ndim()),
                                  .dtype = type_of(owner.dtype()),
                                  .shape = exported->shape.data(),
                                  .strides = exported->strides.data(),
                                  .byte_offset = 0},
                       .context = exported.get(),
                       .deleter = delete_exported};
  PyObject* capsule = PyCapsule_New(&exported->managed, kName, delete_unused);
  if (capsule == nullptr) throw py::error_already_set();
  (void)exported.release();
  return py::reinterpret_steal<py::capsule>(capsule);
}

}  // namespace assay::python
