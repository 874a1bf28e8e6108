// What containment adds to a range of threadgroups.
#include "device/cpu/kernel_guard.h"

#include <benchmark/benchmark.h>

namespace assay::device::cpu {
namespace {

void guard_an_empty_call(benchmark::State& state) {
  install_fault_handlers();
  for (auto _ : state) {
    benchmark::DoNotOptimize(run_guarded([] { benchmark::ClobberMemory(); }).has_value());
  }
}
BENCHMARK(guard_an_empty_call);

}  // namespace
}  // namespace assay::device::cpu
