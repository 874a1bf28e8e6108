// What a dispatch costs around the kernel's own work: submit and wait, and groups per second.
#include <benchmark/benchmark.h>

#include <memory>
#include <utility>

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

  void run(kernel::LaunchSize size) {
    auto commands = queue_->command_buffer();
    if (!commands->dispatch(kernel_, {}, size)) return;
    benchmark::DoNotOptimize(queue_->submit(std::move(commands))->wait());
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
