// Every rule of validate_dispatch: the message of the mistake, and the near miss that passes.
#include "device/validate.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "device/host_memory.h"

namespace assay::device {
namespace {

using kernel::ArgumentKind;
using kernel::LaunchSize;

kernel::Argument make_argument(std::string name, ArgumentKind kind, uint32_t slot) {
  kernel::Argument argument;
  argument.name = std::move(name);
  argument.kind = kind;
  argument.slot = slot;
  argument.type = kind == ArgumentKind::kBuffer ? "device float4*" : "threadgroup float*";
  argument.element_bytes = 16;
  argument.element_alignment = 16;
  return argument;
}

std::shared_ptr<DeviceState> make_state() {
  DeviceLimits limits;
  limits.max_buffer_bytes = limits.total_memory_bytes = 1 << 20;
  return std::make_shared<DeviceState>("test", limits, std::make_unique<HostMemory>(),
                                       PoolLimits{1 << 20, 0});
}

// A kernel with one buffer, one reference, one optional buffer and one threadgroup argument.
class ValidateTest : public ::testing::Test {
 protected:
  ValidateTest() {
    info_.name = "blend";
    info_.arguments.push_back(make_argument("in", ArgumentKind::kBuffer, 0));
    info_.arguments.push_back(make_argument("params", ArgumentKind::kBuffer, 1));
    info_.arguments.back().is_reference = true;
    info_.arguments.push_back(make_argument("mask", ArgumentKind::kBuffer, 2));
    info_.arguments.back().present_if = "has_mask";
    info_.arguments.push_back(make_argument("tile", ArgumentKind::kThreadgroupMemory, 0));
    info_.arguments.push_back(make_argument("id", ArgumentKind::kThreadAttribute, 0));
    good_.buffer(0, make_buffer(256)).bytes(1, params_).threadgroup_memory(0, 1024);
  }

  std::shared_ptr<Buffer> make_buffer(uint64_t bytes,
                                      std::shared_ptr<DeviceState> state = nullptr) {
    if (state == nullptr) state = state_;
    const MemoryBlock block = state->memory.acquire(bytes).block;
    return std::make_shared<Buffer>(state, block,
                                    Buffer::Identity{state->new_id(), bytes, "", false});
  }

  // The message, empty when the dispatch is fine.
  std::string check(const Bindings& bindings, LaunchSize size = kGoodSize) {
    const LoadedKernel kernel(state_, info_);
    const Result<void> result = validate_dispatch(kernel, bindings, size);
    return result ? "" : result.error().message;
  }
  void expect_error(const Bindings& bindings, const std::string& expected) {
    EXPECT_EQ(check(bindings), "[dispatch] kernel 'blend': " + expected);
  }
  void expect_size_error(LaunchSize size, const std::string& expected) {
    EXPECT_EQ(check(good_, size), "[dispatch] kernel 'blend': " + expected);
  }

  static constexpr LaunchSize kGoodSize{kernel::LaunchForm::kThreads, {100, 3, 1}, {32, 2, 1}};
  std::shared_ptr<DeviceState> state_ = make_state();
  kernel::KernelInfo info_;
  std::array<std::byte, 16> params_ = {};
  Bindings good_;
};

TEST_F(ValidateTest, accepts_a_complete_dispatch_without_its_optional_argument) {
  EXPECT_EQ(check(good_), "");
  good_.buffer(2, make_buffer(16));
  EXPECT_EQ(check(good_), "");
}

TEST_F(ValidateTest, names_an_argument_that_is_not_bound) {
  expect_error(Bindings().bytes(1, params_).threadgroup_memory(0, 16),
               "argument 'in' (device float4*, [[buffer(0)]]) is not bound; bind a buffer or bytes "
               "to slot 0");
  expect_error(Bindings().buffer(0, nullptr).bytes(1, params_).threadgroup_memory(0, 16),
               "argument 'in' (device float4*, [[buffer(0)]]) is bound to a null buffer; allocate "
               "it first");
}

TEST_F(ValidateTest, names_threadgroup_memory_that_is_not_set) {
  expect_error(good_.threadgroup_memory(0, 0),
               "argument 'tile' (threadgroup float*, [[threadgroup(0)]]) has no memory; set the "
               "threadgroup memory bytes of slot 0");
}

TEST_F(ValidateTest, refuses_slots_the_kernel_does_not_have) {
  Bindings bindings = good_;
  expect_error(bindings.buffer(3, make_buffer(16)),
               "something is bound to [[buffer(3)]], but the kernel has no such argument; remove "
               "the binding or correct its slot");
  expect_error(good_.threadgroup_memory(1, 16),
               "something is bound to [[threadgroup(1)]], but the kernel has no such argument; "
               "remove the binding or correct its slot");
}

TEST_F(ValidateTest, refuses_slots_no_kernel_can_have) {
  Bindings bindings = good_;
  expect_error(bindings.value(64, 1), "slot 64 does not exist; buffer slots go from 0 to 63");
  expect_error(good_.threadgroup_memory(32, 16),
               "slot 32 does not exist; threadgroup slots go from 0 to 31");
}

TEST_F(ValidateTest, checks_offsets_against_size_and_element_type) {
  Bindings bindings = good_;
  EXPECT_EQ(check(bindings.buffer(0, make_buffer(256), 240)), "");
  EXPECT_EQ(check(bindings.buffer(0, make_buffer(256), 256)), "");
  expect_error(bindings.buffer(0, make_buffer(256), 272),
               "argument 'in' (device float4*, [[buffer(0)]]) is bound at offset 272, beyond the "
               "buffer's 256 bytes");
  expect_error(bindings.buffer(0, make_buffer(256), 8),
               "argument 'in' (device float4*, [[buffer(0)]]) is bound at offset 8, which its "
               "element type does not allow; use a multiple of 16 bytes");
}

TEST_F(ValidateTest, wants_a_whole_value_for_a_reference) {
  Bindings bindings = good_;
  EXPECT_EQ(check(bindings.buffer(1, make_buffer(32), 16)), "");
  const std::string text =
      "argument 'params' (device float4*, [[buffer(1)]]) needs 16 bytes, but {} are bound; bind a "
      "whole value";
  expect_error(bindings.buffer(1, make_buffer(24), 16),
               std::string(text).replace(text.find("{}"), 2, "8"));
  expect_error(bindings.value(1, 1.0F), std::string(text).replace(text.find("{}"), 2, "4"));
  EXPECT_EQ(check(good_.buffer(0, make_buffer(0))), "");
}

TEST_F(ValidateTest, refuses_buffers_of_another_device) {
  auto foreign = make_buffer(256, make_state());
  EXPECT_NE(check(good_.buffer(0, foreign)).find("of another device ('test')"), std::string::npos);
}

TEST_F(ValidateTest, refuses_an_empty_grid) {
  expect_size_error(LaunchSize::threads({5, 0, 1}, {1, 1, 1}),
                    "empty grid (5, 0, 1); every grid size must be at least 1, skip the dispatch "
                    "when there is no work");
}

TEST_F(ValidateTest, refuses_threadgroups_that_are_empty_or_too_large) {
  expect_size_error(LaunchSize::threads({5, 5, 1}, {1, 1, 0}),
                    "threadgroup size (1, 1, 0) has a zero; every size must be at least 1");
  EXPECT_EQ(check(good_, LaunchSize::threads({9, 9, 9}, {32, 8, 4})), "");
  expect_size_error(
      LaunchSize::threads({9, 9, 9}, {32, 8, 5}),
      "threadgroup size (32, 8, 5) with 1280 threads is over the maximum of 1024 threads per "
      "threadgroup; use a smaller threadgroup");
  // 2^31 * 2 * 2^32 wraps to 0 in 64 bits.
  EXPECT_NE(check(good_, LaunchSize::threads({1, 1, 1}, {1U << 31, 2, UINT32_MAX})), "");
  info_.max_total_threads_per_threadgroup = 96;
  EXPECT_EQ(check(good_, LaunchSize::threads({9, 9, 9}, {96, 1, 1})), "");
  expect_size_error(LaunchSize::threads({9, 9, 9}, {97, 1, 1}),
                    "threadgroup size (97, 1, 1) is over the maximum of 96 threads that "
                    "[[max_total_threads_per_threadgroup]] sets; use a smaller threadgroup");
}

TEST_F(ValidateTest, refuses_grids_whose_positions_do_not_fit) {
  EXPECT_EQ(check(good_, LaunchSize::threads({UINT32_MAX, 1, 1}, {32, 1, 1})), "");
  EXPECT_EQ(check(good_, LaunchSize::threadgroups({UINT32_MAX / 32, 1, 1}, {32, 1, 1})), "");
  for (const LaunchSize size : {LaunchSize::threadgroups({UINT32_MAX, 1, 1}, {2, 1, 1}),
                                LaunchSize::threads({UINT32_MAX, UINT32_MAX, 2}, {1, 1, 1})}) {
    EXPECT_NE(check(good_, size).find("is too large: positions have 32 bits"), std::string::npos);
  }
}

TEST_F(ValidateTest, adds_static_and_dynamic_threadgroup_memory) {
  info_.static_threadgroup_bytes = 32768 - 1024;
  EXPECT_EQ(check(good_), "");
  expect_error(
      good_.threadgroup_memory(0, 1025),
      "needs 32784 bytes of threadgroup memory (31744 declared in the kernel + 1040 in slot 0), "
      "over the limit of 32768; use smaller tiles");
  EXPECT_NE(check(good_.threadgroup_memory(0, UINT64_MAX)), "");
  info_.static_threadgroup_bytes = 32769;
  EXPECT_NE(check(good_.threadgroup_memory(0, 16)), "");
}

TEST_F(ValidateTest, checks_ranges_of_fills_and_copies) {
  const auto buffer = make_buffer(100);
  EXPECT_TRUE(validate_range("[fill]", buffer.get(), 0, 100));
  EXPECT_TRUE(validate_range("[fill]", buffer.get(), 100, 0));
  EXPECT_FALSE(validate_range("[fill]", buffer.get(), 1, 100));
  EXPECT_FALSE(validate_range("[fill]", buffer.get(), 101, 0));
  EXPECT_FALSE(validate_range("[fill]", buffer.get(), 10, UINT64_MAX));
  EXPECT_FALSE(validate_range("[fill]", nullptr, 0, 0));
}

}  // namespace
}  // namespace assay::device
