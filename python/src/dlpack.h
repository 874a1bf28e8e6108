// DLPack in both directions: arrays of other libraries on the same memory.
#pragma once

#include <optional>
#include <utility>

#include "arguments.h"

namespace assay::python {

bool has_dlpack(py::handle value);
struct HostMemory;
// The memory of an object with __dlpack__; nothing for elements that arrays have no type for.
std::optional<HostMemory> view_dlpack(py::handle value);
// A copy, converted to the type.
array from_dlpack(py::handle value, OptionalDtype dtype = std::nullopt);
// A capsule that a consumer takes over. `device` is DLPack's (type, id); CPU memory is all there
// is.
py::capsule to_dlpack(const array& a, std::optional<std::pair<int, int>> device);

// DLPack's number for memory that the CPU reads and writes.
inline constexpr int kDlpackCpu = 1;

}  // namespace assay::python
