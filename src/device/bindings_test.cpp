// Slots, replacement and the copies of inline bytes.
#include "device/bindings.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <utility>
#include <vector>

namespace assay::device {
namespace {

TEST(Bindings, copies_bytes_with_alignment_for_every_type) {
  Bindings bindings;
  std::vector<std::byte> large(200, std::byte{7});
  bindings.value(0, uint8_t{3}).bytes(1, large).value(2, 2.5F);
  large.assign(200, std::byte{0});
  const Bindings moved = std::move(bindings);
  for (const Bindings::Entry& entry : moved.entries()) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(moved.data(entry)) % 64, 0U);
  }
  EXPECT_EQ(*moved.data(*moved.find_buffer_or_bytes(0)), std::byte{3});
  const std::byte* copied = moved.data(*moved.find_buffer_or_bytes(1));
  for (size_t i = 0; i < 200; ++i) ASSERT_EQ(copied[i], std::byte{7});
  float value = 0;
  std::memcpy(&value, moved.data(*moved.find_buffer_or_bytes(2)), sizeof(value));
  EXPECT_EQ(value, 2.5F);
}

TEST(Bindings, later_binding_of_a_slot_wins) {
  Bindings bindings;
  bindings.value(4, 1).value(4, int64_t{2}).threadgroup_memory(4, 100);
  EXPECT_EQ(bindings.entries().size(), 2U);
  EXPECT_EQ(bindings.find_buffer_or_bytes(4)->bytes, 8U);
  EXPECT_EQ(bindings.find_threadgroup_memory(4)->bytes, 112U);
  bindings.threadgroup_memory(4, 0);
  EXPECT_EQ(bindings.find_threadgroup_memory(4), nullptr);
  EXPECT_EQ(bindings.entries().size(), 1U);
}

TEST(Bindings, empty_bytes_still_have_an_address) {
  Bindings bindings;
  bindings.bytes(0, {});
  EXPECT_NE(bindings.data(*bindings.find_buffer_or_bytes(0)), nullptr);
  EXPECT_EQ(bindings.find_buffer_or_bytes(0)->bytes, 0U);
}

TEST(Bindings, does_not_wrap_huge_threadgroup_sizes) {
  Bindings bindings;
  bindings.threadgroup_memory(0, UINT64_MAX);
  EXPECT_EQ(bindings.find_threadgroup_memory(0)->bytes, UINT64_MAX);
}

}  // namespace
}  // namespace assay::device
