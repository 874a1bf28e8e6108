// What a capture costs per dispatch, beside the same loop without one, and what it costs that one
// could be made: `make bench BENCH=--capture`. Names of modes as arguments run only those.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "capture/session.h"
#include "device/cpu/cpu_device.h"
#include "device/observer_list.h"
#include "pipeline/pipeline_cache.h"

namespace assay::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kRounds = 5;
constexpr int kSubmissions = 2000;
constexpr int kDispatches = 50;  // of one submission
constexpr uint32_t kElements = 256;

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
kernel void scale(device const float* x, device float* y, constant float& a,
                  uint i [[thread_position_in_grid]]) {
  y[i] = a * x[i];
}
)";

struct Cost {
  double loop_ns = 0;   // of one dispatch, as the program sees it
  double total_ns = 0;  // with what stop() still has to write
  double bytes = 0;     // of the document, per dispatch
};

struct Mode {
  const char* name;
  std::optional<capture::Detail> detail;
  const char* aim;
};

constexpr Mode kModes[] = {{"no capture", std::nullopt, ""},
                           {"timeline", capture::Detail::kTimeline, "<= 200 ns more, <= 100 bytes"},
                           {"skeleton", capture::Detail::kSkeleton, "a few hundred bytes"},
                           {"full", capture::Detail::kFull, ""}};

class Loop {
 public:
  static Result<std::unique_ptr<Loop>> create() {
    auto loop = std::unique_ptr<Loop>(new Loop);
    auto device = device::cpu::CpuDevice::create({});
    if (!device) return device.error();
    loop->device_ = *device;
    pipeline::PipelineCache pipelines(loop->device_);
    const auto library = pipelines.compile({"scale.metal", kSource});
    if (!library) return library.error();
    auto kernel = pipelines.get(**library, "scale");
    if (!kernel) return kernel.error();
    loop->kernel_ = *kernel;
    auto queue = loop->device_->create_queue("bench");
    if (!queue) return queue.error();
    loop->queue_ = std::move(*queue);
    for (auto& buffer : loop->buffers_) {
      auto allocated = loop->device_->allocate(kElements * sizeof(float), "x", {.zeroed = true});
      if (!allocated) return allocated.error();
      buffer = std::move(*allocated);
    }
    return loop;
  }

  Result<Cost> run(const Mode& mode) {
    const std::string path = fs::temp_directory_path() / "assay_capture_bench.gputrace";
    fs::remove(path);
    std::unique_ptr<capture::Session> session;
    if (mode.detail) {
      auto started = capture::Session::start(
          device_, {path, {.detail = *mode.detail, .queue_label = {}, .name = {}}});
      if (!started) return started.error();
      session = std::move(*started);
    }
    const auto start = Clock::now();
    for (int i = 0; i < kSubmissions; ++i) {
      if (Result<void> done = submit(); !done) return done.error();
    }
    Cost cost;
    cost.loop_ns = per_dispatch(start);
    if (session) {
      if (const auto summary = session->stop(); !summary) return summary.error();
      cost.bytes = static_cast<double>(fs::file_size(path)) / (kSubmissions * kDispatches);
      fs::remove(path);
    }
    cost.total_ns = per_dispatch(start);
    return cost;
  }

 private:
  using Clock = std::chrono::steady_clock;

  static double per_dispatch(Clock::time_point start) {
    const std::chrono::duration<double, std::nano> time = Clock::now() - start;
    return time.count() / (kSubmissions * kDispatches);
  }

  Result<void> submit() {
    auto commands = queue_->command_buffer();
    for (int i = 0; i < kDispatches; ++i) {
      device::Bindings bindings;
      bindings.buffer(0, buffers_[0]).buffer(1, buffers_[1]).value(2, 0.5F);
      if (Result<void> added = commands->dispatch(
              kernel_, std::move(bindings),
              kernel::LaunchSize::threads({kElements, 1, 1}, {kElements, 1, 1}), {"scale", "f:1"});
          !added) {
        return added;
      }
    }
    return queue_->run(std::move(commands))->wait();
  }

  std::shared_ptr<device::Device> device_;
  pipeline::LoadedKernelPtr kernel_;
  std::unique_ptr<device::Queue> queue_;
  std::array<std::shared_ptr<device::Buffer>, 2> buffers_;
};

// Without a capture a dispatch asks once whether anybody listens, a submission twice: what that
// takes, per dispatch. The rest of the loop is the same without observers.
double time_questions() {
  constexpr int kQuestions = 20'000'000;
  const device::ObserverList observers;
  const device::ObserverList* asked = &observers;
  double best_ns = 1e12;
  for (int round = 0; round < kRounds; ++round) {
    int listened = 0;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kQuestions; ++i) {
      asm volatile("" : "+r"(asked) : : "memory");  // every time anew
      if (!asked->empty()) ++listened;
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    asm volatile("" : : "r"(listened));
    best_ns = std::min(best_ns, time.count() / kQuestions);
  }
  return best_ns * (1 + 2.0 / kDispatches);
}

Result<void> compare(const std::vector<std::string_view>& only) {
  auto is_wanted = [&](const Mode& mode) {
    return only.empty() || !mode.detail || std::ranges::count(only, mode.name) != 0;
  };
  auto loop = Loop::create();
  if (!loop) return loop.error();
  std::vector<Cost> best(std::size(kModes), {1e12, 1e12, 0});
  for (int round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < std::size(kModes); ++i) {
      if (!is_wanted(kModes[i])) continue;
      const Result<Cost> cost = (*loop)->run(kModes[i]);
      if (!cost) return cost.error();
      best[i] = {std::min(best[i].loop_ns, cost->loop_ns),
                 std::min(best[i].total_ns, cost->total_ns), cost->bytes};
    }
  }
  fmt::print("{} dispatches of {} threads, best of {}, per dispatch\n\n",
             kSubmissions * kDispatches, kElements, kRounds);
  fmt::print("{:<12}{:>10}{:>10}{:>14}{:>10}  {}\n", "capture", "loop", "more", "with stop",
             "bytes", "aim");
  for (size_t i = 0; i < std::size(kModes); ++i) {
    if (!is_wanted(kModes[i])) continue;
    fmt::print("{:<12}{:>7.0f} ns{:>7.0f} ns{:>11.0f} ns{:>10.0f}  {}\n", kModes[i].name,
               best[i].loop_ns, best[i].loop_ns - best[0].loop_ns, best[i].total_ns, best[i].bytes,
               kModes[i].aim);
  }
  const double questions_ns = time_questions();
  fmt::print("\nof no capture, to find that nobody listens: {:.2f} ns, {:.2f} %  (aim: <= 1 %)\n",
             questions_ns, 100 * questions_ns / best[0].loop_ns);
  return {};
}

}  // namespace
}  // namespace assay::bench

int main(int argc, char** argv) {
  if (const assay::Result<void> done = assay::bench::compare({argv + 1, argv + argc}); !done) {
    fmt::print(stderr, "capture_bench: {}\n", done.error().message);
    return 1;
  }
}
