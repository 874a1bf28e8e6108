// Peers that are plain host code.
#pragma once

#include <memory>

#include "bench/contestant.h"

namespace assay::bench {

// Copies the first buffer to the second with memcpy on `threads` threads.
Result<std::unique_ptr<Contestant>> make_copy(const Workload& workload, unsigned threads);

// The third buffer = the first times the second, square row-major matrices, by OpenBLAS.
Result<std::unique_ptr<Contestant>> make_openblas(const Workload& workload, unsigned threads);

}  // namespace assay::bench
