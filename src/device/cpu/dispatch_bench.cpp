// What a dispatch costs around the kernel's own work: submit and wait, and groups per second.
#include <benchmark/benchmark.h>

#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "base/ensure.h"
#include "device/clock.h"
#include "device/cpu/cpu_device.h"
#include "device/cpu/testing/coroutine_kernel.h"

namespace assay::device::cpu {
namespace {

using testing::FrameSlot;
using testing::KernelCoroutine;
using testing::KernelThread;

void do_nothing(const kernel::GroupContext*) {}

KernelCoroutine wait_once(KernelThread thread, FrameSlot) { co_await thread.barrier(0); }

class DispatchBench {
 public:
  explicit DispatchBench(KernelEntry entry)
      : kernel_(*device_->load_function(kernel::KernelInfo(), entry)) {}

  std::unique_ptr<CommandBuffer> make_commands(kernel::LaunchSize size, int dispatches) {
    auto commands = queue_->command_buffer();
    for (int i = 0; i < dispatches; ++i) {
      ASSAY_ENSURE(commands->dispatch(kernel_, {}, size).ok(), "the dispatch is valid");
    }
    return commands;
  }
  void run(std::unique_ptr<CommandBuffer> commands, bool in_one_call = false) {
    const auto submission =
        in_one_call ? queue_->run(std::move(commands)) : queue_->submit(std::move(commands));
    ASSAY_ENSURE(submission->wait().ok(), "the kernel runs");
  }
  void run(kernel::LaunchSize size, bool in_one_call = false) {
    run(make_commands(size, 1), in_one_call);
  }

 private:
  std::shared_ptr<CpuDevice> device_ = *CpuDevice::create();
  std::unique_ptr<Queue> queue_ = *device_->create_queue();
  std::shared_ptr<LoadedKernel> kernel_;
};

void submit_and_wait_one_group(benchmark::State& state) {
  DispatchBench bench({kernel::ExecutionForm::kPlain, reinterpret_cast<const void*>(&do_nothing)});
  for (auto _ : state) bench.run(kernel::LaunchSize::threads({32, 1, 1}, {32, 1, 1}));
}
BENCHMARK(submit_and_wait_one_group)->UseRealTime();

// One thread of an empty kernel: what a launch costs at least.
void submit_and_wait_one_thread(benchmark::State& state) {
  DispatchBench bench({kernel::ExecutionForm::kPlain, reinterpret_cast<const void*>(&do_nothing)});
  for (auto _ : state) bench.run(kernel::LaunchSize::threads({1, 1, 1}, {1, 1, 1}));
}
BENCHMARK(submit_and_wait_one_thread)->UseRealTime();

// The same after a pause in which every thread has gone to sleep.
void run_one_thread_after_a_pause(benchmark::State& state) {
  DispatchBench bench({kernel::ExecutionForm::kPlain, reinterpret_cast<const void*>(&do_nothing)});
  const bool in_one_call = state.range(0) != 0;
  for (auto _ : state) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const uint64_t begin = now_ns();
    bench.run(kernel::LaunchSize::threads({1, 1, 1}, {1, 1, 1}), in_one_call);
    state.SetIterationTime(static_cast<double>(now_ns() - begin) * 1e-9);
  }
}
BENCHMARK(run_one_thread_after_a_pause)
    ->ArgName("in_one_call")
    ->Arg(0)
    ->Arg(1)
    ->UseManualTime()
    ->Iterations(50);

void run_many_dispatches_of_one_command_buffer(benchmark::State& state) {
  DispatchBench bench({kernel::ExecutionForm::kPlain, reinterpret_cast<const void*>(&do_nothing)});
  constexpr int kDispatches = 1000;
  for (auto _ : state) {
    state.PauseTiming();
    auto commands =
        bench.make_commands(kernel::LaunchSize::threads({32, 1, 1}, {32, 1, 1}), kDispatches);
    state.ResumeTiming();
    bench.run(std::move(commands));
  }
  state.SetItemsProcessed(state.iterations() * kDispatches);
}
BENCHMARK(run_many_dispatches_of_one_command_buffer)->UseRealTime();

void start_empty_groups(benchmark::State& state) {
  DispatchBench bench({kernel::ExecutionForm::kPlain, reinterpret_cast<const void*>(&do_nothing)});
  const auto groups = static_cast<uint32_t>(state.range(0));
  for (auto _ : state) bench.run(kernel::LaunchSize::threadgroups({groups, 1, 1}, {1, 1, 1}));
  state.SetItemsProcessed(state.iterations() * groups);
}
BENCHMARK(start_empty_groups)->Arg(100)->Arg(1'000'000)->UseRealTime();

void pass_barriers(benchmark::State& state) {
  DispatchBench bench({kernel::ExecutionForm::kResumable,
                       reinterpret_cast<const void*>(&testing::resumable_entry<wait_once>)});
  for (auto _ : state) bench.run(kernel::LaunchSize::threads({1 << 16, 1, 1}, {256, 1, 1}));
  state.SetItemsProcessed(state.iterations() << 16);
}
BENCHMARK(pass_barriers)->UseRealTime();

}  // namespace
}  // namespace assay::device::cpu
