// Allocation, reuse and memory statistics on every device.
#include <algorithm>
#include <cstring>

#include "device_case.h"

namespace assay::device_conformance {
namespace {

class MemoryTest : public DeviceTest {};

TEST_P(MemoryTest, gives_writable_aligned_memory_of_every_size) {
  for (const uint64_t bytes : {1, 3, 64, 4095, 4096, 100'003, 5'000'001}) {
    const auto buffer = *device_->allocate(bytes, "some");
    ASSERT_EQ(buffer->contents().size(), bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % 64, 0U);
    EXPECT_EQ(buffer->label(), "some");
    std::memset(buffer->data(), 0xEE, bytes);
  }
}

TEST_P(MemoryTest, gives_different_ids_and_memory_to_live_buffers) {
  const auto first = *device_->allocate(100);
  const auto second = *device_->allocate(100);
  EXPECT_NE(first->id(), second->id());
  EXPECT_NE(first->data(), second->data());
}

TEST_P(MemoryTest, accepts_empty_buffers) {
  const auto buffer = device_->allocate(0, "empty");
  ASSERT_TRUE(buffer);
  EXPECT_TRUE((*buffer)->contents().empty());
}

TEST_P(MemoryTest, refuses_sizes_beyond_memory_with_a_message) {
  for (const uint64_t bytes :
       {device_->limits().max_buffer_bytes + 1, UINT64_MAX, UINT64_MAX - 63, uint64_t{1} << 62}) {
    const auto buffer = device_->allocate(bytes, "huge");
    ASSERT_FALSE(buffer);
    EXPECT_NE(buffer.error().message.find("'huge'"), std::string::npos) << buffer.error().message;
  }
  EXPECT_TRUE(device_->allocate(100));
}

TEST_P(MemoryTest, clears_reused_memory_only_when_asked) {
  const std::byte* address = nullptr;
  {
    const auto buffer = *device_->allocate(10'000);
    address = buffer->data();
    std::memset(buffer->data(), 0x55, 10'000);
  }
  {
    const auto again = *device_->allocate(9'990);
    ASSERT_EQ(again->data(), address);
    EXPECT_TRUE(again->reused());
    EXPECT_EQ(again->contents()[5'000], std::byte{0x55});
  }
  const auto cleared = *device_->allocate(10'000, "", {.zeroed = true});
  ASSERT_EQ(cleared->data(), address);
  EXPECT_TRUE(
      std::ranges::all_of(cleared->contents(), [](std::byte b) { return b == std::byte{0}; }));
}

TEST_P(MemoryTest, keeps_statistics_and_trims) {
  const auto before = device_->memory();
  auto buffer = *device_->allocate(1'000'000);
  EXPECT_GE(device_->memory().active_bytes, before.active_bytes + 1'000'000);
  buffer.reset();
  EXPECT_EQ(device_->memory().active_bytes, before.active_bytes);
  EXPECT_GE(device_->memory().cached_bytes, 1'000'000U);
  EXPECT_GE(device_->memory().peak_bytes, before.active_bytes + 1'000'000);
  device_->trim_memory();
  EXPECT_EQ(device_->memory().cached_bytes, 0U);
}

TEST_P(MemoryTest, buffers_outlive_their_device) {
  const auto buffer = *device_->allocate(5'000);
  queue_.reset();
  device_.reset();
  std::memset(buffer->data(), 1, 5'000);
  EXPECT_EQ(buffer->contents()[4'999], std::byte{1});
}

TEST_P(MemoryTest, tells_its_limits) {
  const device::DeviceLimits& limits = device_->limits();
  EXPECT_FALSE(device_->name().empty());
  EXPECT_EQ(limits.max_threads_per_threadgroup, 1024U);
  EXPECT_EQ(limits.max_threadgroup_memory_bytes, 32768U);
  EXPECT_GT(limits.max_buffer_bytes, 0U);
  EXPECT_LE(limits.recommended_working_set_bytes, limits.total_memory_bytes);
}

INSTANTIATE_TEST_SUITE_P(Devices, MemoryTest, ::testing::Values(cpu_case("cpu", 2), null_case()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace assay::device_conformance
