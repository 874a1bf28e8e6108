// Measures the device with kernels of its own; see device_measurements.h.
#include <algorithm>
#include <chrono>

#include "pipeline/pipeline_cache.h"
#include "runtime/device_measurements.h"
#include "runtime/measure_ops.h"

namespace assay::runtime {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;

kernel void copy_all(device const float4* x [[buffer(0)]], device float4* y [[buffer(1)]],
                     uint i [[thread_position_in_grid]]) {
  y[i] = x[i];
}

kernel void scale_all(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] *= 0.5f;
}

// Eight sums of their own, so that nobody waits for the result before.
kernel void multiply_add(device float* y [[buffer(0)]], constant float& a [[buffer(1)]],
                         uint i [[thread_position_in_grid]]) {
  float b = i, s0 = b, s1 = b + 1, s2 = b + 2, s3 = b + 3, s4 = b + 4, s5 = b + 5, s6 = b + 6,
        s7 = b + 7;
  for (int round = 0; round < 512; ++round) {
    s0 = fma(s0, a, b); s1 = fma(s1, a, b); s2 = fma(s2, a, b); s3 = fma(s3, a, b);
    s4 = fma(s4, a, b); s5 = fma(s5, a, b); s6 = fma(s6, a, b); s7 = fma(s7, a, b);
  }
  y[i] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7;
}

kernel void nothing(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (i > 1u << 30) y[i] = 0;
}
)";

constexpr uint64_t kCopyBytes = uint64_t{128} << 20;  // of each array: no cache holds them
constexpr uint32_t kSums = 1 << 18;                   // threads of multiply_add
constexpr double kFlopsOfSum = 512 * 8 * 2;
constexpr int kEmptyDispatches = 200;

using Buffers = std::vector<std::shared_ptr<device::Buffer>>;

class Bench {
 public:
  static Result<Bench> create(const OpenedDevice& opened) {
    Bench bench;
    bench.device_ = opened.device;
    pipeline::PipelineCache pipelines(opened.device, opened.build_options, opened.kernel_cache);
    const auto library = pipelines.compile({"measure.metal", kSource});
    if (!library) return library.error();
    for (const char* name : {"copy_all", "multiply_add", "nothing", "scale_all"}) {
      auto kernel = pipelines.get(**library, name);
      if (!kernel) return kernel.error();
      bench.kernels_.push_back(std::move(*kernel));
    }
    auto queue = opened.device->create_queue("measure");
    if (!queue) return queue.error();
    bench.queue_ = std::move(*queue);
    return bench;
  }

  // Bytes read and written in a second.
  Result<double> bandwidth() {
    Result<Buffers> buffers = allocate({kCopyBytes, kCopyBytes});
    if (!buffers) return buffers.error();
    device::Bindings bindings;
    bindings.buffer(0, (*buffers)[0]);
    // In place there is less to do for each byte: nothing is read only to be overwritten.
    const Result<double> scale_s = time_best(3, bindings, kCopyBytes / 16);
    if (!scale_s) return scale_s.error();
    bindings.buffer(1, (*buffers)[1]);
    const Result<double> copy_s = time_best(0, bindings, kCopyBytes / 16);
    if (!copy_s) return copy_s.error();
    return 2.0 * static_cast<double>(kCopyBytes) / std::min(*scale_s, *copy_s);
  }

  Result<double> flops() {
    Result<Buffers> buffers = allocate({kSums * sizeof(float)});
    if (!buffers) return buffers.error();
    device::Bindings bindings;
    bindings.buffer(0, (*buffers)[0]).value(1, 0.25F);
    const Result<double> best_s = time_best(1, bindings, kSums);
    if (!best_s) return best_s.error();
    return kFlopsOfSum * kSums / *best_s;
  }

  // Nanoseconds of a dispatch among many that do nothing.
  Result<double> launch_overhead() {
    Result<Buffers> buffers = allocate({sizeof(float)});
    if (!buffers) return buffers.error();
    double best_s = 1e9;
    for (int round = 0; round < 20; ++round) {
      auto commands = queue_->command_buffer();
      for (int i = 0; i < kEmptyDispatches; ++i) {
        device::Bindings bindings;
        bindings.buffer(0, (*buffers)[0]);
        if (auto added = commands->dispatch(kernels_[2], std::move(bindings),
                                            kernel::LaunchSize::threads({1, 1, 1}, {1, 1, 1}));
            !added) {
          return added.error();
        }
      }
      const Result<double> time_s = time_run(std::move(commands));
      if (!time_s) return time_s.error();
      best_s = std::min(best_s, *time_s);
    }
    return best_s / kEmptyDispatches * 1e9;
  }

 private:
  Result<Buffers> allocate(std::initializer_list<uint64_t> sizes) {
    Buffers buffers;
    for (const uint64_t bytes : sizes) {
      auto buffer = device_->allocate(bytes, "measure", {.zeroed = true});
      if (!buffer) return buffer.error();
      buffers.push_back(std::move(*buffer));
    }
    return buffers;
  }

  // Seconds of the best of several runs.
  Result<double> time_best(size_t kernel, const device::Bindings& bindings, uint64_t threads) {
    constexpr int kRuns = 24;  // the first ones touch new memory and wake the machine up
    double best_s = 1e9;
    for (int run = 0; run < kRuns; ++run) {
      auto commands = queue_->command_buffer();
      if (auto added = commands->dispatch(
              kernels_[kernel], bindings,
              kernel::LaunchSize::threads({static_cast<uint32_t>(threads), 1, 1}, {256, 1, 1}));
          !added) {
        return added.error();
      }
      const Result<double> time_s = time_run(std::move(commands));
      if (!time_s) return time_s.error();
      best_s = std::min(best_s, *time_s);
    }
    return best_s;
  }

  Result<double> time_run(std::unique_ptr<device::CommandBuffer> commands) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    if (Result<void> done = queue_->run(std::move(commands))->wait(); !done) return done.error();
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  std::shared_ptr<device::Device> device_;
  std::vector<pipeline::LoadedKernelPtr> kernels_;
  std::unique_ptr<device::Queue> queue_;
};

}  // namespace

Result<Measurements> measure_device(const OpenedDevice& opened) {
  Result<Bench> bench = Bench::create(opened);
  if (!bench) return bench.error();
  const Result<double> bandwidth = bench->bandwidth();
  if (!bandwidth) return bandwidth.error();
  const Result<double> flops = bench->flops();
  if (!flops) return flops.error();
  const Result<double> overhead = bench->launch_overhead();
  if (!overhead) return overhead.error();
  const auto ops = measure_ops();
  if (!ops) return ops.error();
  Measurements measurements = {{"peak_bandwidth", *bandwidth, "bytes/s"},
                               {"peak_flops", *flops, "flop/s"},
                               {"launch_overhead", *overhead, "ns"}};
  for (const OpMeasurement& each : *ops) {
    measurements.push_back({each.name, each.value, each.unit});
  }
  return measurements;
}

}  // namespace assay::runtime
