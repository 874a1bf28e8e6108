// DLPack in both directions: arrays of other libraries on the same memory.
#pragma once

#include <optional>
#include <utility>

#include "arguments.h"

namespace assay::python {

bool has_dlpack(py::handle value);
// From an object with __dlpack__. Without a dtype of its own memory is shared where possible.
array from_dlpack(py::handle value, OptionalDtype dtype = std::nullopt);
// A capsule that a consumer takes over. `device` is DLPack's (type, id); CPU memory is all there
// is.
py::capsule to_dlpack(const array& a, std::optional<std::pair<int, int>> device);

// DLPack's number for memory that the CPU reads and writes.
inline constexpr int kDlpackCpu = 1;

}  // namespace assay::python
