// See host_memory.h.
#include "host_memory.h"

#include <cstdlib>
#include <mutex>

#include "assay/ops.h"
#include "convert.h"
#include "dlpack.h"

namespace assay::python {
namespace {

// What waits for the main thread. Never destroyed: arrays may outlive everything.
struct Releases {
  std::mutex mutex;
  std::vector<std::function<void()>> waiting;
};
Releases& releases() {
  static auto* list = new Releases;
  return *list;
}

int run_releases(void* /*argument*/) {
  std::vector<std::function<void()>> taken;
  {
    const std::lock_guard lock(releases().mutex);
    taken.swap(releases().waiting);
  }
  for (const std::function<void()>& release : taken) release();
  return 0;
}

// Where the elements lie around the first one, in elements of the type.
struct Extent {
  int64_t low = 0;    // of the lowest, not above 0
  int64_t count = 1;  // from the lowest to behind the highest
  Strides strides;
};

// Nothing where elements do not lie whole elements apart.
std::optional<Extent> find_extent(const HostMemory& memory) {
  const auto item = static_cast<int64_t>(memory.dtype.size());
  Extent extent;
  for (size_t axis = 0; axis < memory.shape.size(); ++axis) {
    if (memory.shape[axis] == 0) return Extent{.low = 0, .count = 0, .strides = {}};
    const int64_t stride = memory.shape[axis] == 1 ? 0 : memory.strides[axis];
    if (stride % item != 0) return std::nullopt;
    const int64_t reach = (memory.shape[axis] - 1) * (stride / item);
    if (reach < 0) extent.low += reach;
    extent.count += std::abs(reach);
    extent.strides.push_back(stride / item);
  }
  return extent;
}

bool has_rows(const HostMemory& memory, const Extent& extent) {
  int64_t expected = 1;
  for (size_t axis = memory.shape.size(); axis-- > 0;) {
    if (memory.shape[axis] != 1 && extent.strides[axis] != expected) return false;
    expected *= memory.shape[axis];
  }
  return true;
}

// `elements` are all from the lowest to the highest.
array arrange(const array& elements, const HostMemory& memory, Extent extent) {
  const StreamOrDevice where =
      memory.dtype == float64 ? StreamOrDevice(Device::cpu) : StreamOrDevice();
  return as_strided(elements, memory.shape, std::move(extent.strides),
                    static_cast<size_t>(-extent.low), where);
}

}  // namespace

void release_with_interpreter(std::function<void()> release) {
  if (PyGILState_Check() != 0) {
    release();
    return;
  }
  {
    const std::lock_guard lock(releases().mutex);
    releases().waiting.push_back(std::move(release));
  }
  // Where the interpreter has too many such calls waiting, the next release brings this one along.
  (void)Py_AddPendingCall(run_releases, nullptr);
}

std::optional<HostMemory> find_host_memory(py::handle value) {
  if (std::optional<HostMemory> memory = view_buffer(value)) return memory;
  return has_dlpack(value) ? view_dlpack(value) : std::nullopt;
}

std::optional<array> share_memory(const HostMemory& memory) {
  std::optional<Extent> extent = find_extent(memory);
  const auto item = static_cast<int64_t>(memory.dtype.size());
  if (!extent || reinterpret_cast<std::uintptr_t>(memory.data) % memory.dtype.size() != 0) {
    return std::nullopt;
  }
  const auto keep = [owner = memory.owner](void*) mutable { owner.reset(); };
  if (extent->count == 0 || has_rows(memory, *extent)) {
    return array(memory.data, memory.shape, memory.dtype, keep);
  }
  const array elements(memory.data + extent->low * item,
                       Shape{to_dimension(py::int_(extent->count))}, memory.dtype, keep);
  return arrange(elements, memory, std::move(*extent));
}

std::optional<array> copy_layout(const HostMemory& memory) {
  std::optional<Extent> extent = find_extent(memory);
  int64_t elements = 1;
  for (const ShapeElem length : memory.shape) elements *= length;
  if (!extent || extent->count > elements || extent->count == 0) return std::nullopt;
  const auto item = static_cast<int64_t>(memory.dtype.size());
  const array copy(memory.data + extent->low * item, Shape{to_dimension(py::int_(extent->count))},
                   memory.dtype, std::function<void(void*)>());
  return arrange(copy, memory, std::move(*extent));
}

bool has_negative_strides(const HostMemory& memory) {
  for (size_t axis = 0; axis < memory.shape.size(); ++axis) {
    if (memory.shape[axis] > 1 && memory.strides[axis] < 0) return true;
  }
  return false;
}

}  // namespace assay::python
