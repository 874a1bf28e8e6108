// Cost of a parallel loop by itself: what a dispatch of few threadgroups pays.
#include "base/thread_pool.h"

#include <benchmark/benchmark.h>

#include <thread>

namespace assay::base {
namespace {

void empty_loop(benchmark::State& state) {
  ThreadPool pool(std::max(1u, std::thread::hardware_concurrency()) - 1);
  const auto count = static_cast<uint64_t>(state.range(0));
  for (auto _ : state) {
    pool.parallel_for(count, [](uint64_t index) { benchmark::DoNotOptimize(index); });
  }
}
BENCHMARK(empty_loop)->Arg(1)->Arg(2)->Arg(64)->Arg(4096)->UseRealTime();

}  // namespace
}  // namespace assay::base
