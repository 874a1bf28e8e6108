// PoCL as it runs a workload of the benchmarks. Only in programs without our LLVM: PoCL brings
// another one.
#pragma once

#include <memory>

#include "bench/contestant.h"

namespace assay::bench {

// Compiles the workload's .cl file.
Result<std::unique_ptr<Contestant>> make_pocl(const Workload& workload);

// Nanoseconds from the text of a small kernel, a new one for each number, to the end of its first
// launch, where PoCL makes its code.
Result<double> compile_with_pocl(unsigned number, Clock clock);

}  // namespace assay::bench
