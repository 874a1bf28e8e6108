// Launches with kernels written as C++ coroutines: barriers, divergence, cross-lane
// operations, group shapes and threadgroup memory.
#include "device/cpu/launch_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "device/cpu/cpu_device.h"
#include "device/cpu/float_environment.h"
#include "device/cpu/testing/coroutine_kernel.h"

namespace assay::device::cpu {
namespace {

using kernel::ExecutionForm;
using kernel::GroupContext;
using kernel::LaunchSize;
using testing::FrameSlot;
using testing::KernelCoroutine;
using testing::KernelThread;
using testing::resumable_entry;

kernel::Argument make_argument(kernel::ArgumentKind kind, uint32_t slot) {
  kernel::Argument argument;
  argument.name = "argument";
  argument.kind = kind;
  argument.slot = slot;
  return argument;
}

kernel::KernelInfo make_info(uint32_t buffers, uint32_t threadgroup_arguments = 0) {
  kernel::KernelInfo info;
  info.name = "test";
  for (uint32_t slot = 0; slot < buffers; ++slot) {
    info.arguments.push_back(make_argument(kernel::ArgumentKind::kBuffer, slot));
  }
  for (uint32_t slot = 0; slot < threadgroup_arguments; ++slot) {
    info.arguments.push_back(make_argument(kernel::ArgumentKind::kThreadgroupMemory, slot));
  }
  return info;
}

// One device, one queue, and a launch that must succeed.
class LaunchExecutorTest : public ::testing::Test {
 protected:
  explicit LaunchExecutorTest(CpuOptions options = {.threads = 4})
      : device_(*CpuDevice::create(options)), queue_(*device_->create_queue()) {}

  std::shared_ptr<Buffer> zeros(uint64_t count) {
    return *device_->allocate(count * 4, "values", {.zeroed = true});
  }
  static std::span<uint32_t> words(Buffer& buffer) {
    return {reinterpret_cast<uint32_t*>(buffer.data()), buffer.size() / 4};
  }

  void launch(kernel::KernelInfo info, KernelEntry entry, Bindings bindings, LaunchSize size) {
    auto loaded = device_->load_function(std::move(info), entry);
    ASSERT_TRUE(loaded) << loaded.error().message;
    auto commands = queue_->command_buffer();
    const auto added = commands->dispatch(*loaded, std::move(bindings), size);
    ASSERT_TRUE(added) << added.error().message;
    const auto ran = queue_->submit(std::move(commands))->wait();
    ASSERT_TRUE(ran) << ran.error().message;
  }

  template <auto Function>
  static KernelEntry resumable() {
    return {ExecutionForm::kResumable, reinterpret_cast<const void*>(&resumable_entry<Function>)};
  }
  static KernelEntry plain(kernel::PlainEntry entry) {
    return {ExecutionForm::kPlain, reinterpret_cast<const void*>(entry)};
  }

  std::shared_ptr<CpuDevice> device_;
  std::unique_ptr<Queue> queue_;
};

template <typename Function>
void for_each_thread(const GroupContext& group, const Function& function) {
  const uint32_t* size = group.threads_per_threadgroup;
  for (uint32_t z = 0; z < size[2]; ++z) {
    for (uint32_t y = 0; y < size[1]; ++y) {
      for (uint32_t x = 0; x < size[0]; ++x) {
        const uint32_t* position = group.threadgroup_position_in_grid;
        const uint32_t* full = group.dispatch_threads_per_threadgroup;
        function(position[0] * full[0] + x, position[1] * full[1] + y, position[2] * full[2] + z);
      }
    }
  }
}

void count_visits(const GroupContext* group) {
  auto* visits = static_cast<uint32_t*>(group->buffers[0]);
  const uint32_t* grid = group->threads_per_grid;
  for_each_thread(*group, [&](uint32_t x, uint32_t y, uint32_t z) {
    ++visits[(uint64_t{z} * grid[1] + y) * grid[0] + x];
  });
}

TEST_F(LaunchExecutorTest, visits_every_thread_of_an_odd_grid_once) {
  auto visits = zeros(37 * 11 * 5);
  launch(make_info(1), plain(count_visits), Bindings().buffer(0, visits),
         LaunchSize::threads({37, 11, 5}, {8, 3, 2}));
  for (const uint32_t count : words(*visits)) ASSERT_EQ(count, 1U);
}

TEST_F(LaunchExecutorTest, counts_whole_threadgroups_when_asked) {
  auto visits = zeros(21 * 8 * 3);
  launch(make_info(1), plain(count_visits), Bindings().buffer(0, visits),
         LaunchSize::threadgroups({3, 2, 1}, {7, 4, 3}));
  for (const uint32_t count : words(*visits)) ASSERT_EQ(count, 1U);
}

TEST_F(LaunchExecutorTest, handles_a_grid_smaller_than_its_threadgroup) {
  auto visits = zeros(3);
  launch(make_info(1), plain(count_visits), Bindings().buffer(0, visits),
         LaunchSize::threads({3, 1, 1}, {256, 1, 1}));
  for (const uint32_t count : words(*visits)) EXPECT_EQ(count, 1U);
}

// Writes position, group size and number of groups of each thread.
KernelCoroutine report_sizes(KernelThread thread, FrameSlot) {
  auto* out = thread.buffer<uint32_t>(0);
  const GroupContext& group = *thread.group;
  uint32_t* mine = out + size_t{thread.position()} * 6;
  mine[0] = group.threads_per_threadgroup[0];
  mine[1] = group.dispatch_threads_per_threadgroup[0];
  mine[2] = group.threadgroups_per_grid[0];
  mine[3] = group.threads_per_grid[0];
  mine[4] = thread.index();
  mine[5] = group.threadgroup_position_in_grid[0];
  co_return;
}

TEST_F(LaunchExecutorTest, tells_the_real_size_of_the_last_group) {
  auto out = zeros(45 * 6);
  launch(make_info(1), resumable<report_sizes>(), Bindings().buffer(0, out),
         LaunchSize::threads({45, 1, 1}, {20, 1, 1}));
  for (uint32_t i = 0; i < 45; ++i) {
    const auto mine = words(*out).subspan(i * 6, 6);
    const std::array<uint32_t, 6> expected = {i < 40 ? 20U : 5U, 20, 3, 45, i % 20, i / 20};
    EXPECT_TRUE(std::equal(mine.begin(), mine.end(), expected.begin())) << "thread " << i;
  }
}

// Reverses each group's threads through threadgroup memory.
KernelCoroutine reverse_group(KernelThread thread, FrameSlot) {
  auto* shared = thread.threadgroup<uint32_t>(0);
  shared[thread.index()] = thread.position();
  co_await thread.barrier(0);
  thread.buffer<uint32_t>(0)[thread.position()] =
      shared[thread.group_threads() - 1 - thread.index()];
}

TEST_F(LaunchExecutorTest, barrier_makes_writes_of_all_threads_visible) {
  constexpr uint32_t kCount = 1000;
  auto out = zeros(kCount);
  launch(make_info(1, 1), resumable<reverse_group>(),
         Bindings().buffer(0, out).threadgroup_memory(0, 96 * 4),
         LaunchSize::threads({kCount, 1, 1}, {96, 1, 1}));
  for (uint32_t i = 0; i < kCount; ++i) {
    const uint32_t begin = i / 96 * 96;
    const uint32_t size = std::min(96U, kCount - begin);
    ASSERT_EQ(words(*out)[i], begin + size - 1 - (i - begin));
  }
}

// Adds all thread numbers of a group of 2^n threads in n rounds with a barrier in each.
KernelCoroutine tree_sum(KernelThread thread, FrameSlot) {
  auto* shared = thread.threadgroup<uint32_t>(0);
  shared[thread.index()] = thread.position() + 1;
  co_await thread.barrier(0);
  for (uint32_t half = thread.group_threads() / 2; half > 0; half /= 2) {
    if (thread.index() < half) shared[thread.index()] += shared[thread.index() + half];
    co_await thread.barrier(1);
    co_await thread.reconverge(2);
  }
  if (thread.index() == 0) {
    thread.buffer<uint32_t>(0)[thread.group->threadgroup_position_in_grid[0]] = shared[0];
  }
}

TEST_F(LaunchExecutorTest, barrier_in_a_loop_separates_the_rounds) {
  constexpr uint32_t kGroups = 37;
  auto out = zeros(kGroups);
  launch(make_info(1, 1), resumable<tree_sum>(),
         Bindings().buffer(0, out).threadgroup_memory(0, 256 * 4),
         LaunchSize::threadgroups({kGroups, 1, 1}, {256, 1, 1}));
  for (uint32_t group = 0; group < kGroups; ++group) {
    const uint32_t first = group * 256 + 1;
    EXPECT_EQ(words(*out)[group], (first + first + 255) * 256 / 2);
  }
}

// Threads past `count` leave before the barrier; the others must not wait for them.
KernelCoroutine early_return(KernelThread thread, FrameSlot) {
  if (thread.index() >= thread.buffer<uint32_t>(1)[0]) co_return;
  auto* shared = thread.threadgroup<uint32_t>(0);
  shared[thread.index()] = thread.index() * 3;
  co_await thread.barrier(0);
  const uint32_t next = (thread.index() + 1) % thread.buffer<uint32_t>(1)[0];
  thread.buffer<uint32_t>(0)[thread.index()] = shared[next];
}

TEST_F(LaunchExecutorTest, threads_that_returned_do_not_hold_up_a_barrier) {
  constexpr uint32_t kLeft = 41;
  auto out = zeros(100);
  launch(make_info(2, 1), resumable<early_return>(),
         Bindings().buffer(0, out).value(1, kLeft).threadgroup_memory(0, 400),
         LaunchSize::threads({100, 1, 1}, {100, 1, 1}));
  for (uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(words(*out)[i], i < kLeft ? (i + 1) % kLeft * 3 : 0);
  }
}

// Two sides of a branch with an operation in each, then one that all lanes do together.
KernelCoroutine branch_and_meet(KernelThread thread, FrameSlot) {
  auto* out = thread.buffer<uint32_t>(0) + size_t{thread.position()} * 2;
  if (thread.lane() % 3 == 0) {
    out[0] = static_cast<uint32_t>(co_await thread.sum(0, thread.lane()));
  } else if (thread.lane() % 3 == 1) {
    out[0] = static_cast<uint32_t>(co_await thread.shuffle(1, thread.lane(), thread.lane() ^ 2));
  } else {
    out[0] = static_cast<uint32_t>(co_await thread.ballot(2, thread.lane() % 2 == 0));
    if (thread.lane() == 11) co_return;
  }
  out[1] = static_cast<uint32_t>(co_await thread.ballot(3, true));
}

TEST_F(LaunchExecutorTest, cross_lane_operations_see_only_lanes_of_their_branch) {
  // 70 threads: two full simdgroups and one of 6 lanes.
  auto out = zeros(140);
  launch(make_info(1), resumable<branch_and_meet>(), Bindings().buffer(0, out),
         LaunchSize::threads({70, 1, 1}, {70, 1, 1}));
  for (uint32_t thread = 0; thread < 70; ++thread) {
    const uint32_t lane = thread % 32;
    const uint32_t lanes = thread < 64 ? 32 : 6;
    uint32_t sum = 0, even = 0, all = 0;
    for (uint32_t other = 0; other < lanes; ++other) {
      if (other % 3 == 0) sum += other;
      if (other % 3 == 2 && other % 2 == 0) even |= 1U << other;
      if (other != 11) all |= 1U << other;
    }
    const uint32_t source = lane ^ 2;
    const uint32_t shuffled = source < lanes && source % 3 == 1 ? source : lane;
    const std::array<uint32_t, 3> expected = {sum, shuffled, even};
    EXPECT_EQ(words(*out)[thread * 2], expected[lane % 3]) << "thread " << thread;
    EXPECT_EQ(words(*out)[thread * 2 + 1], lane == 11 ? 0 : all) << "thread " << thread;
  }
}

// Lane n takes n % 5 + 1 rounds and skips the operation in round 1 when n is odd, as `continue`
// does.
KernelCoroutine uneven_loop(KernelThread thread, FrameSlot) {
  uint32_t total = 0;
  for (uint32_t round = 0; round <= thread.lane() % 5; ++round) {
    if (round != 1 || thread.lane() % 2 == 0) {
      total += static_cast<uint32_t>(co_await thread.sum(0, 1)) << (round * 6);
    }
    co_await thread.reconverge(1);
  }
  thread.buffer<uint32_t>(0)[thread.index()] = total;
  thread.buffer<uint32_t>(1)[thread.index()] =
      static_cast<uint32_t>(co_await thread.ballot(2, true));
}

TEST_F(LaunchExecutorTest, lanes_meet_in_every_round_of_a_loop_with_uneven_trip_counts) {
  auto totals = zeros(32);
  auto masks = zeros(32);
  launch(make_info(2), resumable<uneven_loop>(), Bindings().buffer(0, totals).buffer(1, masks),
         LaunchSize::threads({32, 1, 1}, {32, 1, 1}));
  std::array<uint32_t, 5> active = {};
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t round = 0; round <= lane % 5; ++round) {
      if (round != 1 || lane % 2 == 0) ++active[round];
    }
  }
  for (uint32_t lane = 0; lane < 32; ++lane) {
    uint32_t expected = 0;
    for (uint32_t round = 0; round <= lane % 5; ++round) {
      if (round != 1 || lane % 2 == 0) expected += active[round] << (round * 6);
    }
    EXPECT_EQ(words(*totals)[lane], expected) << "lane " << lane;
    EXPECT_EQ(words(*masks)[lane], 0xFFFFFFFF) << "lane " << lane;
  }
}

// One simdgroup needs many cross-lane steps before the barrier, the others none.
KernelCoroutine slow_simdgroup(KernelThread thread, FrameSlot) {
  auto* shared = thread.threadgroup<uint32_t>(0);
  uint32_t value = 1;
  if (thread.index() / 32 == 1) {
    for (int round = 0; round < 50; ++round) {
      value = static_cast<uint32_t>(co_await thread.sum(0, value % 1000)) + 1;
      co_await thread.reconverge(1);
    }
  }
  shared[thread.index()] = value;
  co_await thread.barrier(2);
  thread.buffer<uint32_t>(0)[thread.index()] = shared[(thread.index() + 32) % 96];
}

TEST_F(LaunchExecutorTest, barrier_waits_for_simdgroups_that_still_work) {
  auto out = zeros(96);
  launch(make_info(1, 1), resumable<slow_simdgroup>(),
         Bindings().buffer(0, out).threadgroup_memory(0, 384),
         LaunchSize::threads({96, 1, 1}, {96, 1, 1}));
  uint32_t value = 1;
  for (int round = 0; round < 50; ++round) value = value % 1000 * 32 + 1;
  for (uint32_t i = 0; i < 96; ++i) EXPECT_EQ(words(*out)[i], i < 32 ? value : 1U);
}

// Hands elements on to the next thread: the last ones of a simdgroup yield in a branch of their
// own, before the others, who also work across lanes.
KernelCoroutine hand_on(KernelThread thread, FrameSlot) {
  auto* shared = thread.threadgroup<uint32_t>(0);
  const uint32_t index = thread.index();
  shared[index] = index + 1;
  co_await thread.barrier(0);
  const uint32_t before = shared[(index + thread.group_threads() - 1) % thread.group_threads()];
  if (thread.lane() >= 20) co_await thread.yield(1);
  const auto sum = static_cast<uint32_t>(co_await thread.sum(2, before));
  co_await thread.yield(3);
  shared[index] = before;
  co_await thread.barrier(4);
  thread.buffer<uint32_t>(0)[index] = shared[index];
  thread.buffer<uint32_t>(1)[index] = sum;
}

TEST_F(LaunchExecutorTest, a_yield_lets_everybody_else_catch_up) {
  constexpr uint32_t kThreads = 150;
  auto out = zeros(kThreads);
  auto sums = zeros(kThreads);
  launch(make_info(2, 1), resumable<hand_on>(),
         Bindings().buffer(0, out).buffer(1, sums).threadgroup_memory(0, kThreads * 4),
         LaunchSize::threads({kThreads, 1, 1}, {kThreads, 1, 1}));
  auto value = [](uint32_t i) { return i == 0 ? kThreads : i; };
  for (uint32_t i = 0; i < kThreads; ++i) {
    EXPECT_EQ(words(*out)[i], value(i)) << i;
    uint32_t sum = 0;
    for (uint32_t j = i / 32 * 32; j < std::min(i / 32 * 32 + 32, kThreads); ++j) sum += value(j);
    EXPECT_EQ(words(*sums)[i], sum) << i;
  }
}

// Each argument's memory holds its own number; static memory lies in front of both.
KernelCoroutine fill_threadgroup_memory(KernelThread thread, FrameSlot) {
  auto* fixed = reinterpret_cast<uint32_t*>(thread.group->threadgroup_memory);
  auto* first = thread.threadgroup<uint32_t>(0);
  auto* second = thread.threadgroup<uint32_t>(5);
  if (thread.index() == 0) {
    for (uint32_t i = 0; i < 25; ++i) fixed[i] = 1;
    for (uint32_t i = 0; i < 10; ++i) first[i] = 2;
    for (uint32_t i = 0; i < 33; ++i) second[i] = 3;
  }
  co_await thread.barrier(0);
  if (thread.index() != 1) co_return;
  auto* out = thread.buffer<uint32_t>(0);
  out[0] = std::accumulate(fixed, fixed + 25, 0U);
  out[1] = std::accumulate(first, first + 10, 0U);
  out[2] = std::accumulate(second, second + 33, 0U);
  out[3] = static_cast<uint32_t>(
      (reinterpret_cast<uintptr_t>(first) | reinterpret_cast<uintptr_t>(second)) % 16);
}

TEST_F(LaunchExecutorTest, static_and_dynamic_threadgroup_memory_do_not_overlap) {
  kernel::KernelInfo info = make_info(1, 1);
  info.arguments.push_back(info.arguments.back());
  info.arguments.back().slot = 5;
  info.static_threadgroup_bytes = 100;
  auto out = zeros(4);
  launch(info, resumable<fill_threadgroup_memory>(),
         Bindings().buffer(0, out).threadgroup_memory(0, 40).threadgroup_memory(5, 132),
         LaunchSize::threads({2, 1, 1}, {2, 1, 1}));
  EXPECT_EQ(words(*out)[0], 25U);
  EXPECT_EQ(words(*out)[1], 20U);
  EXPECT_EQ(words(*out)[2], 99U);
  EXPECT_EQ(words(*out)[3], 0U);
}

KernelCoroutine copy_threadgroup_memory(KernelThread thread, FrameSlot) {
  auto* shared = thread.threadgroup<uint32_t>(0);
  thread.buffer<uint32_t>(0)[thread.position()] = shared[0];
  co_await thread.barrier(0);
  shared[0] = 7;
}

class PoisoningExecutorTest : public LaunchExecutorTest {
 protected:
  PoisoningExecutorTest() : LaunchExecutorTest({.threads = 1, .poison_threadgroup_memory = true}) {}
};

TEST_F(PoisoningExecutorTest, fills_threadgroup_memory_before_each_group) {
  auto out = zeros(5);
  launch(make_info(1, 1), resumable<copy_threadgroup_memory>(),
         Bindings().buffer(0, out).threadgroup_memory(0, 16),
         LaunchSize::threads({5, 1, 1}, {1, 1, 1}));
  for (const uint32_t value : words(*out)) EXPECT_EQ(value, 0xA5A5A5A5);
}

void add_atomically(const GroupContext* group) {
  auto* counter = static_cast<uint32_t*>(group->buffers[0]);
  for_each_thread(*group, [&](uint32_t x, uint32_t, uint32_t) {
    std::atomic_ref<uint32_t>(counter[x % 3]).fetch_add(1, std::memory_order_relaxed);
  });
}

TEST_F(LaunchExecutorTest, atomics_work_across_groups_on_several_threads) {
  auto counters = zeros(3);
  launch(make_info(1), plain(add_atomically), Bindings().buffer(0, counters),
         LaunchSize::threads({300'001, 1, 1}, {64, 1, 1}));
  EXPECT_EQ(words(*counters)[0], 100'001U);
  EXPECT_EQ(words(*counters)[1], 100'000U);
  EXPECT_EQ(words(*counters)[2], 100'000U);
}

// Group n waits until group n - 1 has written, as scans with look-back do.
void wait_for_previous_group(const GroupContext* group) {
  auto* done = static_cast<uint32_t*>(group->buffers[0]);
  const uint32_t index = group->threadgroup_position_in_grid[0];
  uint32_t before = 0;
  while (index > 0 && before == 0) {
    before = std::atomic_ref<uint32_t>(done[index - 1]).load(std::memory_order_acquire);
  }
  std::atomic_ref<uint32_t>(done[index]).store(before + 1, std::memory_order_release);
}

TEST_F(LaunchExecutorTest, a_group_may_wait_for_groups_before_it) {
  constexpr uint32_t kGroups = 5000;
  auto done = zeros(kGroups);
  launch(make_info(1), plain(wait_for_previous_group), Bindings().buffer(0, done),
         LaunchSize::threadgroups({kGroups, 1, 1}, {1, 1, 1}));
  for (uint32_t i = 0; i < kGroups; ++i) ASSERT_EQ(words(*done)[i], i + 1);
}

void halve_smallest_normal(const GroupContext* group) {
  auto* value = static_cast<volatile float*>(group->buffers[0]);
  *value = *value / 2;
}

TEST_F(LaunchExecutorTest, kernels_keep_subnormals_when_the_host_thread_flushes_them) {
#if defined(__x86_64__)
  const uint32_t saved = _mm_getcsr();
  _mm_setcsr(saved | 0x8040);
  auto value = zeros(1);
  words(*value)[0] = std::bit_cast<uint32_t>(std::numeric_limits<float>::min());
  launch(make_info(1), plain(halve_smallest_normal), Bindings().buffer(0, value),
         LaunchSize::threads({1, 1, 1}, {1, 1, 1}));
  EXPECT_EQ(_mm_getcsr() & 0x8040, 0x8040U);
  _mm_setcsr(saved);
  EXPECT_EQ(words(*value)[0], 0x00400000U);
#else
  GTEST_SKIP() << "needs an x86-64 processor";
#endif
}

TEST_F(LaunchExecutorTest, runs_the_largest_threadgroup) {
  auto out = zeros(1024);
  launch(make_info(1, 1), resumable<reverse_group>(),
         Bindings().buffer(0, out).threadgroup_memory(0, 4096),
         LaunchSize::threads({1024, 1, 1}, {1024, 1, 1}));
  for (uint32_t i = 0; i < 1024; ++i) ASSERT_EQ(words(*out)[i], 1023 - i);
}

}  // namespace
}  // namespace assay::device::cpu
