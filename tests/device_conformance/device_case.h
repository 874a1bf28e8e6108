// The devices under test and the few kernels that the suite runs on each of them.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "device/cpu/cpu_device.h"
#include "device/device.h"
#include "device/null/null_device.h"

namespace assay::device_conformance {

using device::Bindings;
using device::Buffer;
using device::CommandBuffer;
using device::Device;
using device::LoadedKernel;
using device::Queue;
using device::Submission;
using kernel::LaunchSize;

// Each takes a buffer of uints (slot 0) and one uint (slot 1).
enum class TestKernel {
  kTripleAndAdd,     // x = 3 x + value, for every thread's element: order matters
  kCountAtomically,  // element 0 += value, once per thread
  kWaitForHost,      // returns when element 0 is `value`
};

struct DeviceCase {
  std::string name;
  bool executes = true;
  std::function<std::shared_ptr<Device>()> create;
  std::function<std::shared_ptr<LoadedKernel>(Device&, TestKernel)> load;
};

inline kernel::KernelInfo test_kernel_info(TestKernel which) {
  kernel::KernelInfo info;
  info.name = which == TestKernel::kTripleAndAdd      ? "triple_and_add"
              : which == TestKernel::kCountAtomically ? "count_atomically"
                                                      : "wait_for_host";
  for (uint32_t slot = 0; slot < 2; ++slot) {
    kernel::Argument& argument = info.arguments.emplace_back();
    argument.name = slot == 0 ? "values" : "value";
    argument.type = slot == 0 ? "device uint*" : "constant uint&";
    argument.slot = slot;
    argument.is_reference = slot == 1;
    argument.element_bytes = argument.element_alignment = 4;
  }
  return info;
}

template <typename Function>
void for_each_position(const kernel::GroupContext& group, const Function& function) {
  const uint32_t begin =
      group.threadgroup_position_in_grid[0] * group.dispatch_threads_per_threadgroup[0];
  for (uint32_t x = 0; x < group.threads_per_threadgroup[0]; ++x) function(begin + x);
}

inline void run_triple_and_add(const kernel::GroupContext* group) {
  auto* values = static_cast<uint32_t*>(group->buffers[0]);
  const uint32_t value = *static_cast<const uint32_t*>(group->buffers[1]);
  for_each_position(*group, [&](uint32_t i) { values[i] = values[i] * 3 + value; });
}

inline void run_count_atomically(const kernel::GroupContext* group) {
  auto* values = static_cast<uint32_t*>(group->buffers[0]);
  const uint32_t value = *static_cast<const uint32_t*>(group->buffers[1]);
  for_each_position(*group, [&](uint32_t) { std::atomic_ref<uint32_t>(*values).fetch_add(value); });
}

inline void run_wait_for_host(const kernel::GroupContext* group) {
  auto* values = static_cast<uint32_t*>(group->buffers[0]);
  const uint32_t value = *static_cast<const uint32_t*>(group->buffers[1]);
  while (std::atomic_ref<uint32_t>(*values).load() != value) {
  }
}

inline std::shared_ptr<LoadedKernel> load_on_cpu(Device& device, TestKernel which) {
  const kernel::PlainEntry entry = which == TestKernel::kTripleAndAdd      ? &run_triple_and_add
                                   : which == TestKernel::kCountAtomically ? &run_count_atomically
                                                                           : &run_wait_for_host;
  return *static_cast<device::cpu::CpuDevice&>(device).load_function(
      test_kernel_info(which),
      {kernel::ExecutionForm::kPlain, reinterpret_cast<const void*>(entry)});
}

inline std::shared_ptr<LoadedKernel> load_on_null(Device& device, TestKernel which) {
  kernel::KernelImage image;
  image.info = test_kernel_info(which);
  return *device.load(image);
}

inline DeviceCase cpu_case(std::string name, unsigned threads) {
  return {std::move(name), true,
          [threads] { return *device::cpu::CpuDevice::create({.threads = threads}); }, load_on_cpu};
}

inline DeviceCase null_case() {
  return {"null", false, [] { return device::null::NullDevice::create(); }, load_on_null};
}

// A device with its kernels, a queue, and shorthands for the commands of most tests.
class DeviceTest : public ::testing::TestWithParam<DeviceCase> {
 protected:
  DeviceTest() : device_(GetParam().create()), queue_(*device_->create_queue("main")) {}

  bool executes() const { return GetParam().executes; }
  std::shared_ptr<LoadedKernel> load(TestKernel which) { return GetParam().load(*device_, which); }

  std::shared_ptr<Buffer> zeros(uint64_t count) {
    return *device_->allocate(count * 4, "values", {.zeroed = true});
  }
  static std::span<uint32_t> words(Buffer& buffer) {
    return {reinterpret_cast<uint32_t*>(buffer.data()), buffer.size() / 4};
  }

  static void add(CommandBuffer& commands, std::shared_ptr<LoadedKernel> kernel,
                  std::shared_ptr<Buffer> values, uint32_t value, uint32_t threads) {
    const auto added = commands.dispatch(
        std::move(kernel), Bindings().buffer(0, std::move(values)).value(1, value),
        LaunchSize::threads({threads, 1, 1}, {32, 1, 1}), {"label", "origin"});
    ASSERT_TRUE(added) << added.error().message;
  }

  std::shared_ptr<Device> device_;
  std::unique_ptr<Queue> queue_;
};

}  // namespace assay::device_conformance
