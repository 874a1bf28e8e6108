// See dlpack.h. The structs follow the published binary interface of DLPack 0.8 and 1.0.
#include "dlpack.h"

#include <cstring>
#include <memory>

#include "convert.h"
#include "host_memory.h"

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

std::optional<Dtype> find_type(DlpackType type) {
  for (const Dtype dtype : {bool_, uint8, uint16, uint32, uint64, int8, int16, int32, int64,
                            float16, float32, float64, bfloat16, complex64}) {
    const DlpackType candidate = type_of(dtype);
    if (candidate.code == type.code && candidate.bits == type.bits && type.lanes == 1) return dtype;
  }
  return std::nullopt;
}

constexpr uint64_t kReadOnlyFlag = 1;

// A tensor taken over from its producer, given back when the last user lets go.
struct Taken {
  std::shared_ptr<const DlpackTensor> tensor;
  bool is_read_only = false;
};

template <typename Managed>
std::shared_ptr<const Managed> take_over(py::handle capsule, const char* name,
                                         const char* used_name) {
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (managed == nullptr) throw py::error_already_set();
  PyCapsule_SetName(capsule.ptr(), used_name);
  return {managed, [managed](const Managed*) {
            // Producers may touch Python objects.
            release_with_interpreter([managed] {
              if (managed->deleter != nullptr) managed->deleter(managed);
            });
          }};
}

Taken request_tensor(py::handle value) {
  const py::object capsule = value.attr("__dlpack__")();
  if (PyCapsule_IsValid(capsule.ptr(), kVersionedName) != 0) {
    auto managed = take_over<DlpackVersioned>(capsule, kVersionedName, kUsedVersionedName);
    return {{managed, &managed->tensor}, (managed->flags & kReadOnlyFlag) != 0};
  }
  auto managed = take_over<DlpackManaged>(capsule, kName, kUsedName);
  return {{managed, &managed->tensor}};
}

void copy_rows(const HostMemory& memory, size_t axis, const std::byte* from, std::byte*& to) {
  const size_t item = memory.dtype.size();
  if (axis == memory.shape.size()) {
    std::memcpy(to, from, item);
    to += item;
    return;
  }
  for (ShapeElem i = 0; i < memory.shape[axis]; ++i, from += memory.strides[axis]) {
    copy_rows(memory, axis + 1, from, to);
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

std::optional<HostMemory> view_dlpack(py::handle value) {
  const Taken taken = request_tensor(value);
  const DlpackTensor& tensor = *taken.tensor;
  if (tensor.device_type != kDlpackCpu) {
    throw std::invalid_argument("[convert] Unsupported device: only CPU memory can be imported.");
  }
  const std::optional<Dtype> dtype = find_type(tensor.dtype);
  if (!dtype) return std::nullopt;
  const auto rank = static_cast<size_t>(tensor.ndim);
  HostMemory memory{.data = static_cast<std::byte*>(tensor.data) + tensor.byte_offset,
                    .dtype = *dtype,
                    .shape = Shape(rank),
                    .strides = std::vector<int64_t>(rank),
                    .is_read_only = taken.is_read_only,
                    .owner = std::const_pointer_cast<DlpackTensor>(taken.tensor)};
  auto row = static_cast<int64_t>(dtype->size());
  for (size_t i = rank; i-- > 0;) {
    memory.shape[i] = to_dimension(py::int_(tensor.shape[i]));
    memory.strides[i] =
        tensor.strides == nullptr ? row : tensor.strides[i] * static_cast<int64_t>(dtype->size());
    row *= tensor.shape[i];
  }
  return memory;
}

array from_dlpack(py::handle value, OptionalDtype dtype) {
  const std::optional<HostMemory> memory = view_dlpack(value);
  if (!memory) {
    throw std::invalid_argument("[convert] Cannot convert array to mlx: unknown DLPack type.");
  }
  size_t count = 1;
  for (const ShapeElem length : memory->shape) count *= static_cast<size_t>(length);
  std::vector<std::byte> rows(count * memory->dtype.size());
  std::byte* to = rows.data();
  if (count != 0) copy_rows(*memory, 0, memory->data, to);
  const Dtype target = dtype.value_or(memory->dtype == float64 ? float32 : memory->dtype);
  return visit_dtype(memory->dtype, [&](auto sample) {
    return array(reinterpret_cast<const decltype(sample)*>(rows.data()), memory->shape, target);
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
