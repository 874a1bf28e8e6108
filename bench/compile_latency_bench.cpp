// From source text to runnable code: assay and PoCL on the same small kernel, a new one each time,
// PoCL in a process of its own; and assay with a warm kernel cache, in a fresh process each time.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
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
  auto library = pipelines.compile({"bench.metal", metal_source(number)});
  if (!library || !pipelines.get(**library, "k")) return -1;
  return milliseconds_since(start);
}

constexpr uint64_t kCacheBytes = 64 << 20;
constexpr char kCachedFlag[] = "--cached";

// What a fresh process does: the time to the first kernel, which an earlier process has built.
int run_cached(const char* folder) {
  auto device = assay::device::cpu::CpuDevice::create();
  if (!device) return 1;
  auto start = Clock::now();
  auto cache = std::make_shared<assay::pipeline::KernelCache>(folder, kCacheBytes);
  assay::pipeline::PipelineCache pipelines(*device, {}, cache);
  auto library = pipelines.compile({"bench.metal", metal_source(0)});
  if (!library) return 1;
  auto pipeline = pipelines.get_pipeline(**library, "k");
  if (!pipeline || !pipeline->is_from_cache) return 1;
  std::printf("%f\n", milliseconds_since(start));
  return 0;
}

// One line of numbers from a program; false when it did not run.
template <typename... Numbers>
bool read_numbers(const std::string& command, const char* format, Numbers*... numbers) {
  std::FILE* program = popen(command.c_str(), "r");
  if (program == nullptr) return false;
  bool is_read = std::fscanf(program, format, numbers...) == sizeof...(numbers);
  return pclose(program) == 0 && is_read;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void report_cached(const std::filesystem::path& folder) {
  constexpr int kRounds = 15;
  std::string self = std::filesystem::canonical("/proc/self/exe").string();
  std::string command = "'" + self + "' " + kCachedFlag + " '" + folder.string() + "'";
  std::vector<double> times;
  for (int i = 0; i < kRounds; ++i) {
    double time = 0;
    if (read_numbers(command, "%lf", &time)) times.push_back(time);
  }
  if (times.empty()) {
    std::printf("  assay   from the kernel cache: did not run\n");
    return;
  }
  std::printf("  assay   from the kernel cache, fresh process: median %.2f  minimum %.2f\n",
              median(times), *std::ranges::min_element(times));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == kCachedFlag) return run_cached(argv[2]);
  benchmark::Initialize(&argc, argv);
  // Empty folders of their own: nobody must find kernels of earlier runs.
  std::filesystem::path folder = std::filesystem::temp_directory_path() / "assay_bench_caches";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "pocl");
  setenv("POCL_CACHE_DIR", (folder / "pocl").c_str(), 1);

  auto device = assay::device::cpu::CpuDevice::create();
  if (!device) return std::fprintf(stderr, "%s\n", device.error().message.c_str()), 1;
  assay::pipeline::PipelineCache pipelines(*device);
  constexpr int kRounds = 15;
  std::vector<double> ours;
  double first = assay_once(pipelines, 0);
  for (int i = 1; i <= kRounds; ++i) ours.push_back(assay_once(pipelines, i));
  std::printf("new kernel, text to runnable code (ms)\n");
  std::printf("  assay   first %.1f  median %.1f\n", first, median(ours));
  auto cache = std::make_shared<assay::pipeline::KernelCache>(folder / "assay", kCacheBytes);
  assay::pipeline::PipelineCache cached_pipelines(*device, {}, cache);
  assay_once(cached_pipelines, 0);
  report_cached(folder / "assay");
  std::filesystem::path peer =
      std::filesystem::canonical("/proc/self/exe").parent_path() / "pocl_compile_latency";
  double peer_first = 0;
  double peer_median = 0;
  if (read_numbers("'" + peer.string() + "'", "%lf %lf", &peer_first, &peer_median)) {
    std::printf("  PoCL    first %.1f  median %.1f\n", peer_first, peer_median);
    std::printf("  PoCL / assay: first %.2fx, median %.2fx\n", peer_first / first,
                peer_median / median(ours));
  } else {
    std::printf("  PoCL    did not run: make bench installs it\n");
  }
  std::filesystem::remove_all(folder);
  return 0;
}
