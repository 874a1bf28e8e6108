// How long it takes to make a kernel's object callable, and to let it go again.
#include <benchmark/benchmark.h>

#include <vector>

#include "device/cpu/object_linker.h"
#include "device/cpu/testing/assemble_object.h"

namespace assay::device::cpu {
namespace {

void link_small_object(benchmark::State& state) {
  const std::vector<uint8_t> object = testing::assemble_object(
      "define void @entry(ptr %a, ptr %b, i64 %n) {\n"
      "  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 %n, i1 false)\n  ret void\n}\n"
      "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n");
  for (auto _ : state) benchmark::DoNotOptimize(link_object(object, "entry"));
}
BENCHMARK(link_small_object)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace assay::device::cpu
