// From source text to runnable code: assay and PoCL on the same small kernel, a new one each time,
// PoCL in a process of its own. Prints both and their ratio.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "device/cpu/cpu_device.h"
#include "pipeline/library.h"
#include "pipeline/pipeline_cache.h"

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// The number makes each source new to every cache.
std::string metal_source(int number) {
  return "#include <metal_stdlib>\nusing namespace metal;\n"
         "kernel void k(const device float* x, device float* y, constant float& a,\n"
         "              uint i [[thread_position_in_grid]]) { y[i] = exp(x[i]) * a + " +
         std::to_string(number) + "; }\n";
}

double assay_once(assay::pipeline::PipelineCache& pipelines, int number) {
  auto start = Clock::now();
  auto library = assay::pipeline::compile_library({"bench.metal", metal_source(number)});
  if (!library || !pipelines.get(**library, "k")) return -1;
  return milliseconds_since(start);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  // An empty folder of its own: PoCL must not find kernels of earlier runs.
  std::filesystem::path cache = std::filesystem::temp_directory_path() / "assay_bench_pocl";
  std::filesystem::remove_all(cache);
  std::filesystem::create_directories(cache);
  setenv("POCL_CACHE_DIR", cache.c_str(), 1);

  auto device = assay::device::cpu::CpuDevice::create();
  if (!device) return std::fprintf(stderr, "%s\n", device.error().message.c_str()), 1;
  assay::pipeline::PipelineCache pipelines(*device);
  constexpr int kRounds = 15;
  std::vector<double> ours;
  double first = assay_once(pipelines, 0);
  for (int i = 1; i <= kRounds; ++i) ours.push_back(assay_once(pipelines, i));
  std::printf("new kernel, text to runnable code (ms)\n");
  std::printf("  assay   first %.1f  median %.1f\n", first, median(ours));
  std::filesystem::path peer_program =
      std::filesystem::canonical("/proc/self/exe").parent_path() / "pocl_compile_latency";
  std::FILE* peer = popen(peer_program.c_str(), "r");
  double peer_first = 0;
  double peer_median = 0;
  bool has_peer = peer != nullptr && std::fscanf(peer, "%lf %lf", &peer_first, &peer_median) == 2;
  if (peer != nullptr) pclose(peer);
  if (has_peer) {
    std::printf("  PoCL    first %.1f  median %.1f\n", peer_first, peer_median);
    std::printf("  PoCL / assay: first %.2fx, median %.2fx\n", peer_first / first,
                peer_median / median(ours));
  } else {
    std::printf("  PoCL    did not run: make bench installs it\n");
  }
  std::filesystem::remove_all(cache);
  return 0;
}
