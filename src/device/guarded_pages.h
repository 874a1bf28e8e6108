// Pages for what kernels write, away from the memory of the process itself. A kernel that leaves
// its memory is caught there, or meets memory of other kernels, as on a GPU.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::device {

// Zeroed memory that starts on a huge page, with pages that nobody may touch before and behind it.
// It takes memory only where it is touched. Null when there is none.
std::byte* map_guarded(uint64_t bytes);
// `bytes` as given to map_guarded.
void unmap_guarded(std::byte* data, uint64_t bytes);

}  // namespace assay::device
