// Puts a dispatch into the form that runs it, and loads kernels.
#include "device/cpu/cpu_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "base/thread_pool.h"
#include "device/command_runner.h"
#include "device/cpu/host_info.h"
#include "device/cpu/kernel_guard.h"
#include "device/cpu/launch_executor.h"
#include "device/cpu/matrix_product.h"
#include "device/cpu/target_check.h"
#include "device/host_memory.h"
#include "device/launch_checks.h"
#include "device/print_text.h"
#include "device/serial_queue.h"

namespace assay::device::cpu {
namespace {

// The pointers and offsets that kernels see, per slot.
struct ArgumentTable {
  std::array<void*, kernel::kMaxBufferSlots> buffers = {};
  std::array<uint64_t, kernel::kMaxThreadgroupSlots> threadgroup_offsets = {};
  uint64_t threadgroup_bytes = 0;
};

// Each threadgroup argument starts on a cache line: more than any MSL type needs, and more arena
// than the device's limit counts, which follows Metal's rounding to 16.
ArgumentTable make_arguments(const DispatchCommand& command) {
  constexpr uint64_t kAlignment = 64;
  ArgumentTable table;
  uint64_t end = command.kernel->info().static_threadgroup_bytes;
  for (const Bindings::Entry& entry : command.bindings.entries()) {
    if (entry.kind != kernel::BindingKind::kThreadgroupMemory) {
      table.buffers[entry.slot] = command.bindings.data(entry);
      continue;
    }
    end = (end + kAlignment - 1) / kAlignment * kAlignment;
    table.threadgroup_offsets[entry.slot] = end;
    end += entry.bytes;
  }
  table.threadgroup_bytes = end;
  return table;
}

// Whether a launch writes so much that its first results would have left the caches before anybody
// could read them there. Not for buffers bound twice: what is read and written belongs there.
bool outgrows_caches(const DispatchCommand& command, uint64_t cache_bytes) {
  constexpr uint64_t kMaxBytesPerThread = 64;
  const uint64_t threads = command.size.threads_per_grid().count();
  if (threads <= cache_bytes / kMaxBytesPerThread) return false;
  uint64_t bytes = 0;
  std::span<const Bindings::Entry> entries = command.bindings.entries();
  for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
    if (entry->kind != kernel::BindingKind::kBuffer) continue;
    bytes += entry->bytes;
    const bool is_bound_again = std::any_of(
        entry + 1, entries.end(), [&](const auto& other) { return other.buffer == entry->buffer; });
    if (is_bound_again) return false;
  }
  return bytes > cache_bytes;
}

void store(const kernel::Size3& size, uint32_t (&target)[3]) {
  target[0] = size.x;
  target[1] = size.y;
  target[2] = size.z;
}

LaunchExecutor::Options executor_options(const CpuOptions& options) {
  const auto limit_ns = std::max<int64_t>(0, options.kernel_time_limit.count());
  return {.groups = {.poison_threadgroup_memory = options.poison_threadgroup_memory},
          .time_limit_ns = static_cast<uint64_t>(limit_ns)};
}

}  // namespace

// Shared by the device and its queues.
class CpuDevice::Runner : public DispatchRunner {
 public:
  explicit Runner(std::unique_ptr<LaunchExecutor> executor) : executor_(std::move(executor)) {}

  Result<void> run(const DispatchCommand& command, const CommandPosition& position) override {
    const ArgumentTable arguments = make_arguments(command);
    // Command buffers take only kernels of their own device, and those are all CpuKernels.
    Launch launch{.kernel = static_cast<const CpuKernel&>(*command.kernel),
                  .context = {},
                  .threadgroups = command.size.threadgroups_per_grid(),
                  .threadgroup_bytes = arguments.threadgroup_bytes,
                  .bindings = &command.bindings};
    launch.context.buffers = arguments.buffers.data();
    launch.context.threadgroup_offsets = arguments.threadgroup_offsets.data();
    store(command.size.threadgroup, launch.context.dispatch_threads_per_threadgroup);
    store(command.size.threads_per_grid(), launch.context.threads_per_grid);
    store(launch.threadgroups, launch.context.threadgroups_per_grid);
    launch.context.streams_results = outgrows_caches(command, cache_bytes_) ? 1 : 0;
    if (!launch.kernel.prints()) return run_launch(launch, command, position);
    kernel::PrintLog log(kMaxPrintedLines);
    launch.context.printer = &log;
    Result<void> outcome = run_launch(launch, command, position);
    show(log, command, position);
    return outcome;
  }

  Result<void> run(const MatrixProductCommand& command) override {
    multiply_matrices(command);
    return {};
  }

 private:
  // Of one launch: enough to read, and not enough to drown in.
  static constexpr size_t kMaxPrintedLines = 1000;

  static void show(const kernel::PrintLog& log, const DispatchCommand& command,
                   const CommandPosition& position) {
    const auto& handler = command.kernel->device()->print_handler;
    if (log.count() == 0 || handler == nullptr) return;
    const kernel::CommandDescription description = describe(command, position);
    handler({.kernel = command.kernel->info().name,
             .origin = description.origin,
             .lines = make_lines(log.records(), command.size),
             .dropped = log.count() - log.records().size()});
  }

  Result<void> run_launch(Launch& launch, const DispatchCommand& command,
                          const CommandPosition& position) {
    const kernel::CheckTable* table = launch.kernel.checks();
    if (table == nullptr && command.checks != nullptr) {
      return Error{
          fmt::format("[dispatch] kernel '{}' is to be checked, but was not built for that",
                      launch.kernel.info().name)};
    }
    if (table == nullptr) return executor_->run(launch);
    CheckService* service =
        command.checks != nullptr ? command.checks.get() : launch.kernel.device()->checks.get();
    if (service == nullptr) {
      return Error{fmt::format(
          "[dispatch] kernel '{}' was built to be checked, but nobody checks on this device",
          launch.kernel.info().name)};
    }
    kernel::CommandDescription description = describe(command, position);
    description.bindings = describe_bindings(command);
    const std::unique_ptr<LaunchChecks> checks = service->begin(description, *table);
    launch.checks = checks.get();
    Result<void> outcome = executor_->run(launch);
    const Result<void> checked = checks->finish();
    return outcome ? checked : outcome;
  }

  const std::unique_ptr<LaunchExecutor> executor_;
  const uint64_t cache_bytes_ = read_cache_bytes();
};

CpuDevice::CpuDevice(std::shared_ptr<DeviceState> state, std::shared_ptr<Runner> runner)
    : Device(std::move(state)), runner_(std::move(runner)) {}

Result<std::shared_ptr<CpuDevice>> CpuDevice::create(const CpuOptions& options) {
  const uint64_t memory = read_total_memory_bytes();
  const DeviceLimits limits{.max_threadgroup_memory_bytes = options.max_threadgroup_memory_bytes,
                            .max_buffer_bytes = memory,
                            .total_memory_bytes = memory,
                            .recommended_working_set_bytes = memory / 4 * 3};
  const PoolLimits pool_limits{.max_active_bytes = memory,
                               .max_cached_bytes = options.max_cached_bytes.value_or(memory / 4)};
  const unsigned threads = options.threads == 0 ? read_core_count() : options.threads;
  install_fault_handlers();
  std::unique_ptr<LaunchExecutor> executor;
  try {
    executor = std::make_unique<LaunchExecutor>(std::make_shared<base::ThreadPool>(threads - 1),
                                                executor_options(options));
  } catch (const std::system_error& error) {
    return Error{fmt::format("[cpu device] the system gives no {} threads: {}; ask for fewer",
                             threads, error.what())};
  }
  auto state = std::make_shared<DeviceState>(read_cpu_name(), limits,
                                             std::make_unique<HostMemory>(), pool_limits);
  auto runner = std::make_shared<Runner>(std::move(executor));
  return std::shared_ptr<CpuDevice>(new CpuDevice(std::move(state), std::move(runner)));
}

Result<std::shared_ptr<LoadedKernel>> CpuDevice::load(const kernel::KernelImage& image) {
  if (image.format != kernel::ImageFormat::kElfObject) {
    return Error{
        fmt::format("[load] kernel '{}' was built for another kind of device; build it for "
                    "the CPU",
                    image.info.name)};
  }
  if (Result<void> runs_here = check_target(image.target_cpu); !runs_here) {
    return Error{fmt::format("[load] kernel '{}': {}", image.info.name, runs_here.error().message)};
  }
  // Whoever compiled the kernel may have set handlers.
  install_fault_handlers();
  Result<std::unique_ptr<LinkedObject>> code = link_object(image.object, image.entry_symbol);
  if (!code) return code.error();
  const KernelEntry entry{image.form, (*code)->entry()};
  std::shared_ptr<LoadedKernel> loaded =
      std::make_shared<CpuKernel>(state(), image.info, entry, *std::move(code), &image);
  notify_loaded(*loaded, &image);
  return loaded;
}

Result<std::shared_ptr<LoadedKernel>> CpuDevice::load_function(kernel::KernelInfo info,
                                                               KernelEntry entry) {
  if (entry.address == nullptr) {
    return Error{fmt::format("[load] kernel '{}' has no function", info.name)};
  }
  std::shared_ptr<LoadedKernel> loaded =
      std::make_shared<CpuKernel>(state(), std::move(info), entry, nullptr);
  notify_loaded(*loaded, nullptr);
  return loaded;
}

Result<std::unique_ptr<Queue>> CpuDevice::create_queue(std::string label) {
  return SerialQueue::create(state(), runner_, std::move(label));
}

}  // namespace assay::device::cpu
