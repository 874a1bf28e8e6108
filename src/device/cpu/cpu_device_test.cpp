// Loading kernel images and running them through a queue.
#include "device/cpu/cpu_device.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "device/cpu/testing/assemble_object.h"

namespace assay::device::cpu {
namespace {

// Writes the group's x position into element 0 of the buffer in slot 0, plus what is there.
constexpr const char* kAddPosition = R"(
define void @entry(ptr %context) {
  %buffers = load ptr, ptr %context
  %values = load ptr, ptr %buffers
  %position.at = getelementptr i8, ptr %context, i64 24
  %position = load i32, ptr %position.at
  %slot = getelementptr i32, ptr %values, i32 %position
  %old = load i32, ptr %slot
  %new = add i32 %old, %position
  store i32 %new, ptr %slot
  ret void
}
)";

kernel::KernelImage make_image() {
  kernel::KernelImage image;
  image.entry_symbol = "entry";
  image.object = testing::assemble_object(kAddPosition);
  image.info.name = "add_position";
  image.info.arguments.emplace_back().name = "values";
  return image;
}

TEST(CpuDevice, runs_a_loaded_image) {
  const auto device = *CpuDevice::create({.threads = 2});
  const auto loaded = device->load(make_image());
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto values = *device->allocate(4 * 1001, "values", {.zeroed = true});
  auto queue = *device->create_queue();
  auto commands = queue->command_buffer();
  ASSERT_TRUE(commands->dispatch(*loaded, Bindings().buffer(0, values),
                                 kernel::LaunchSize::threadgroups({1001, 1, 1}, {32, 1, 1})));
  ASSERT_TRUE(queue->submit(std::move(commands))->wait());
  const auto* words = reinterpret_cast<const uint32_t*>(values->data());
  for (uint32_t i = 0; i < 1001; ++i) ASSERT_EQ(words[i], i);
}

TEST(CpuDevice, code_stays_mapped_as_long_as_a_command_needs_it) {
  auto device = *CpuDevice::create({.threads = 1});
  const auto values = *device->allocate(4, "", {.zeroed = true});
  auto queue = *device->create_queue();
  auto commands = queue->command_buffer();
  ASSERT_TRUE(commands->dispatch(*device->load(make_image()), Bindings().buffer(0, values),
                                 kernel::LaunchSize::threads({1, 1, 1}, {1, 1, 1})));
  device.reset();
  EXPECT_TRUE(queue->submit(std::move(commands))->wait());
}

TEST(CpuDevice, refuses_images_that_do_not_fit_and_names_the_kernel) {
  const auto device = *CpuDevice::create({.threads = 1});
  kernel::KernelImage image = make_image();
  image.target_cpu = "x86-64 +avx-of-the-future";
  const auto wrong_target = device->load(image);
  ASSERT_FALSE(wrong_target);
  EXPECT_EQ(wrong_target.error().message.find("[load] kernel 'add_position': it needs"), 0U);
  image = make_image();
  image.object.resize(image.object.size() / 2);
  EXPECT_FALSE(device->load(image));
  EXPECT_FALSE(device->load_function({}, {}));
}

TEST(CpuDevice, takes_its_limits_from_the_options) {
  const auto device = *CpuDevice::create(
      {.threads = 1, .max_threadgroup_memory_bytes = 1000, .max_cached_bytes = 0});
  EXPECT_EQ(device->limits().max_threadgroup_memory_bytes, 1000U);
  EXPECT_TRUE(device->allocate(5000));
  EXPECT_EQ(device->memory().cached_bytes, 0U);
}

TEST(CpuDevice, reports_a_launch_without_memory_for_its_threads) {
  const auto device = *CpuDevice::create({.threads = 1});
  // Claims frames that no machine can hold.
  const kernel::ResumableEntry greedy = [](const kernel::GroupContext*, kernel::ThreadState*,
                                           void*) { return uint64_t{1} << 50; };
  kernel::KernelInfo info;
  info.name = "greedy";
  const auto loaded = *device->load_function(
      info, {kernel::ExecutionForm::kResumable, reinterpret_cast<const void*>(greedy)});
  auto queue = *device->create_queue();
  auto commands = queue->command_buffer();
  ASSERT_TRUE(commands->dispatch(loaded, {}, kernel::LaunchSize::threads({32, 1, 1}, {32, 1, 1})));
  const auto result = queue->submit(std::move(commands))->wait();
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find(
                "of private memory for one threadgroup, of which 1 run at once, are over"),
            std::string::npos)
      << result.error().message;
  EXPECT_TRUE(queue->submit(queue->command_buffer())->wait());
}

TEST(CpuDevice, refuses_kernels_that_no_stack_can_hold) {
  // 64 MiB of private memory that the optimiser cannot take away, written at its far end.
  kernel::KernelImage image = make_image();
  image.object = testing::assemble_object(R"(
define void @entry(ptr %context) {
  %array = alloca [67108864 x i8]
  store volatile i8 1, ptr %array
  ret void
}
)");
  const auto device = *CpuDevice::create({.threads = 2});
  const auto loaded = device->load(image);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto values = *device->allocate(4);
  auto queue = *device->create_queue();
  for (const uint32_t groups : {1U, 1000U}) {
    auto commands = queue->command_buffer();
    ASSERT_TRUE(commands->dispatch(*loaded, Bindings().buffer(0, values),
                                   kernel::LaunchSize::threadgroups({groups, 1, 1}, {32, 1, 1})));
    const auto result = queue->submit(std::move(commands))->wait();
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("private arrays need 64.0 MiB of stack, but the host"),
              std::string::npos)
        << result.error().message;
  }
}

}  // namespace
}  // namespace assay::device::cpu
