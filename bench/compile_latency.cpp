// See compile_latency.h.
#include "bench/compile_latency.h"

#include <cstdio>
#include <memory>
#include <string_view>

#include "device/cpu/cpu_device.h"
#include "pipeline/kernel_cache.h"
#include "pipeline/library.h"

namespace assay::bench {
namespace {

constexpr uint64_t kCacheBytes = 64 << 20;
constexpr char kCachedFlag[] = "--cached";

// The number makes each source new to every cache.
std::string metal_source(unsigned number) {
  return "#include <metal_stdlib>\nusing namespace metal;\n"
         "kernel void k(const device float* x, device float* y, constant float& a,\n"
         "              uint i [[thread_position_in_grid]]) { y[i] = exp(x[i]) * a + " +
         std::to_string(number) + "; }\n";
}

Result<pipeline::Pipeline> build(pipeline::PipelineCache& pipelines, unsigned number) {
  auto library = pipelines.compile({"bench.metal", metal_source(number)});
  if (!library) return library.error();
  return pipelines.get_pipeline(**library, "k");
}

}  // namespace

Result<void> time_new_kernels(pipeline::PipelineCache& pipelines, PeerProcess& peer,
                              unsigned rounds, Clock clock, Comparison& comparison) {
  // Round 0 pays for what each side sets up once.
  for (unsigned round = 0; round <= rounds; ++round) {
    const double start = nanoseconds(clock);
    Result<pipeline::Pipeline> pipeline = build(pipelines, round);
    if (!pipeline) return pipeline.error();
    const double ours = nanoseconds(clock) - start;
    Result<double> theirs = peer.compile(round, clock);
    if (!theirs) return theirs.error();
    if (round == 0) continue;
    comparison.ours_ns.push_back(ours);
    comparison.peer_ns.push_back(*theirs);
  }
  return {};
}

Result<void> time_cached_kernel(const std::filesystem::path& folder, unsigned rounds, Clock clock,
                                Comparison& comparison) {
  auto device = device::cpu::CpuDevice::create();
  if (!device) return device.error();
  auto cache = std::make_shared<pipeline::KernelCache>(folder, kCacheBytes);
  pipeline::PipelineCache pipelines(*device, {}, cache);
  if (Result<pipeline::Pipeline> pipeline = build(pipelines, 0); !pipeline) return pipeline.error();

  const std::string self = std::filesystem::canonical("/proc/self/exe").string();
  const std::string command = "'" + self + "' " + kCachedFlag + " '" + folder.string() + "' " +
                              (clock == Clock::kWall ? "wall" : "processor");
  for (unsigned round = 0; round < rounds; ++round) {
    std::FILE* program = popen(command.c_str(), "r");
    double time = 0;
    bool is_read = program != nullptr && std::fscanf(program, "%lf", &time) == 1;
    if (program == nullptr || pclose(program) != 0 || !is_read)
      return Error{"a process with a warm kernel cache failed"};
    comparison.ours_ns.push_back(time);
  }
  return {};
}

std::optional<int> run_cached_process(int argc, char** argv) {
  if (argc != 4 || std::string_view(argv[1]) != kCachedFlag) return {};
  const Clock clock = std::string_view(argv[3]) == "wall" ? Clock::kWall : Clock::kProcessor;
  auto device = device::cpu::CpuDevice::create();
  if (!device) return 1;
  const double start = nanoseconds(clock);
  auto cache = std::make_shared<pipeline::KernelCache>(argv[2], kCacheBytes);
  pipeline::PipelineCache pipelines(*device, {}, cache);
  Result<pipeline::Pipeline> pipeline = build(pipelines, 0);
  if (!pipeline || !pipeline->is_from_cache) return 1;
  std::printf("%f\n", nanoseconds(clock) - start);
  return 0;
}

}  // namespace assay::bench
