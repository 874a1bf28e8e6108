// OpenCL as it runs a workload of the benchmarks: PoCL, or Oclgrind in a program that it started.
// Only in programs without our LLVM: both bring another one.
#pragma once

#include <memory>

#include "bench/contestant.h"

namespace assay::bench {

// Compiles the workload's .cl file.
Result<std::unique_ptr<Contestant>> make_opencl(const Workload& workload);

// Nanoseconds from the text of a small kernel, a new one for each number, to the end of its first
// launch, where PoCL makes its code.
Result<double> compile_with_pocl(unsigned number, Clock clock);

}  // namespace assay::bench
