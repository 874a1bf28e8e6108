// Memory of other libraries under an array, without a copy.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "arguments.h"

namespace assay::python {

// Elements in memory that a Python object owns.
struct HostMemory {
  std::byte* data = nullptr;  // the first element, not the lowest in memory
  Dtype dtype = float32;
  Shape shape;
  std::vector<int64_t> strides;  // in bytes
  bool is_read_only = false;
  // Keeps the memory; may be let go on any thread.
  std::shared_ptr<void> owner;
};

// Runs `release` where Python objects may be touched: at once on a thread that has the interpreter,
// else soon, on the main thread. Arrays lose their memory on threads that must not wait for it.
void release_with_interpreter(std::function<void()> release);

// The memory of an object with a buffer or with __dlpack__. Nothing for other objects, for elements
// that arrays have no type for, and for memory of other devices.
std::optional<HostMemory> find_host_memory(py::handle value);

// An array on the memory, or nothing where its elements are not aligned. Arrays never write to it.
std::optional<array> share_memory(const HostMemory& memory);
// The same layout in memory of its own, or nothing where that would need more room than rows.
std::optional<array> copy_layout(const HostMemory& memory);

bool has_negative_strides(const HostMemory& memory);

}  // namespace assay::python
