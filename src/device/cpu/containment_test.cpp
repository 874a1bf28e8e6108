// Kernels that crash or never end: their dispatch fails with a message that says where, and
// everything else goes on. The kernels are C++ functions, compiled without the checks of
// sanitizers: those would report the very accesses that are wanted here.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "device/clock.h"
#include "device/cpu/cpu_device.h"
#include "device/cpu/kernel_guard.h"
#include "device/cpu/testing/coroutine_kernel.h"
#include "device/memory_pool.h"

#if defined(__clang__)
#define ASSAY_UNCHECKED __attribute__((noinline, no_sanitize("address", "undefined", "thread")))
#else
#define ASSAY_UNCHECKED __attribute__((noinline))
#endif

namespace assay::device::cpu {
namespace {

using kernel::ExecutionForm;
using kernel::GroupContext;
using kernel::LaunchSize;
using testing::FrameSlot;
using testing::KernelCoroutine;
using testing::KernelThread;

ASSAY_UNCHECKED void store_word(uintptr_t address, uint32_t value) {
  *reinterpret_cast<volatile uint32_t*>(address) = value;
}
ASSAY_UNCHECKED uint32_t load_word(uintptr_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}
ASSAY_UNCHECKED void loop_for_ever() {
  volatile uint64_t rounds = 0;
  while (true) rounds = rounds + 1;
}

// All kernels take values (slot 0) and what (slot 1); most misbehave in the group *what only.
uintptr_t values_of(const GroupContext* group) {
  return reinterpret_cast<uintptr_t>(group->buffers[0]);
}
bool is_bad_group(const GroupContext* group) {
  return group->threadgroup_position_in_grid[0] == *static_cast<const uint32_t*>(group->buffers[1]);
}
void count_group(const GroupContext* group) {
  std::atomic_ref(*static_cast<uint32_t*>(group->buffers[0])).fetch_add(1);
}

// Large enough for guard pages, which lie before it and behind its size class: the only addresses
// that surely belong to nobody, also under a sanitizer that maps most of the address space.
constexpr uint64_t kValuesBytes = uint64_t{1} << 20;
constexpr uint64_t kBeforeBytes = 48;

uint64_t bytes_to_guard() { return MemoryPool::class_bytes(kValuesBytes) + 4096; }

void count_groups(const GroupContext* group) { count_group(group); }
void write_behind(const GroupContext* group) {
  if (is_bad_group(group)) store_word(values_of(group) + bytes_to_guard(), 1);
  count_group(group);
}
void read_before(const GroupContext* group) {
  if (is_bad_group(group)) load_word(values_of(group) - kBeforeBytes);
  count_group(group);
}
void read_null(const GroupContext* group) {
  load_word(reinterpret_cast<uintptr_t>(group->buffers[2]) + 12);
}
void read_no_address(const GroupContext*) { load_word(uintptr_t{0xABCD} << 48); }
ASSAY_UNCHECKED void call_null(const GroupContext* group) {
  reinterpret_cast<void (*)()>(group->buffers[2])();
}
ASSAY_UNCHECKED void divide_by_zero(const GroupContext* group) {
  auto* values = static_cast<volatile int*>(group->buffers[0]);
  values[0] = values[1] / values[2];
}
void execute_nothing(const GroupContext*) { __builtin_trap(); }
void never_end(const GroupContext* group) {
  if (is_bad_group(group)) loop_for_ever();
  count_group(group);
}
ASSAY_UNCHECKED uint64_t recurse(volatile uint64_t* last, uint64_t depth) {
  volatile uint64_t private_array[512];
  private_array[depth % 512] = *last + depth;
  if (depth == UINT64_MAX) return 0;
  return recurse(private_array, depth + 1) + private_array[(depth + 1) % 512];
}
void overflow_stack(const GroupContext*) {
  volatile uint64_t first[512] = {};
  recurse(first, 0);
}

KernelCoroutine write_behind_after_barrier(KernelThread thread, FrameSlot) {
  co_await thread.barrier(0);
  if (thread.index() == 45 && is_bad_group(thread.group)) {
    store_word(values_of(thread.group) + bytes_to_guard(), 1);
  }
}
KernelCoroutine never_end_after_barrier(KernelThread thread, FrameSlot) {
  co_await thread.barrier(0);
  if (thread.index() == 33 && is_bad_group(thread.group)) loop_for_ever();
}

KernelEntry plain(kernel::PlainEntry entry) {
  return {ExecutionForm::kPlain, reinterpret_cast<const void*>(entry)};
}
template <auto Function>
KernelEntry resumable() {
  return {ExecutionForm::kResumable,
          reinterpret_cast<const void*>(&testing::resumable_entry<Function>)};
}

kernel::KernelInfo make_info(std::string name) {
  kernel::KernelInfo info;
  info.name = std::move(name);
  info.file = "bad.metal";
  info.line = 7;
  const char* const names[] = {"values", "what", "extra"};
  for (uint32_t slot = 0; slot < 3; ++slot) {
    kernel::Argument& argument = info.arguments.emplace_back();
    argument.name = names[slot];
    argument.slot = slot;
    // Left unbound by every launch of this file.
    if (slot == 2) argument.present_if = "has_extra";
  }
  return info;
}

class ContainmentTest : public ::testing::Test {
 protected:
  explicit ContainmentTest(CpuOptions options = {.threads = 3,
                                                 .kernel_time_limit = std::chrono::seconds(2)})
      : device_(*CpuDevice::create(options)),
        queue_(*device_->create_queue()),
        values_(*device_->allocate(kValuesBytes, "result", {.zeroed = true})) {}

  std::shared_ptr<LoadedKernel> load(KernelEntry entry, const char* name = "bad") {
    return *device_->load_function(make_info(name), entry);
  }
  std::shared_ptr<Submission> start(Queue& queue, const std::shared_ptr<LoadedKernel>& kernel,
                                    uint32_t groups, uint32_t bad_group) {
    auto commands = queue.command_buffer();
    const auto added = commands->dispatch(kernel, Bindings().buffer(0, values_).value(1, bad_group),
                                          LaunchSize::threadgroups({groups, 1, 1}, {64, 1, 1}));
    EXPECT_TRUE(added) << added.error().message;
    return queue.submit(std::move(commands));
  }
  // The message of a launch that must fail.
  std::string error_of(KernelEntry entry, uint32_t groups = 1, uint32_t bad_group = 0) {
    const auto result = start(*queue_, load(entry), groups, bad_group)->wait();
    EXPECT_FALSE(result.ok());
    return result.ok() ? "" : result.error().message;
  }
  uint32_t& counter() { return *reinterpret_cast<uint32_t*>(values_->data()); }
  void expect_good_work() {
    counter() = 0;
    const auto result = start(*queue_, load(plain(count_groups)), 1000, 0)->wait();
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(counter(), 1000U);
  }
  static void expect_mentions(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
      EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is missing in: " << text;
    }
  }

  std::shared_ptr<CpuDevice> device_;
  std::unique_ptr<Queue> queue_;
  std::shared_ptr<Buffer> values_;
};

TEST_F(ContainmentTest, names_kernel_access_buffer_and_distance_of_a_wild_write) {
  expect_mentions(error_of(plain(write_behind)),
                  {"[dispatch] kernel 'bad' (bad.metal:7): invalid write at address 0x",
                   fmt::format(", {} bytes past the end of buffer 0 'values' (1048576 bytes, label "
                               "'result'), in threadgroup (0, 0, 0); check",
                               bytes_to_guard() - kValuesBytes)});
  expect_good_work();
}

TEST_F(ContainmentTest, names_the_distance_before_the_start) {
  expect_mentions(
      error_of(plain(read_before), 5, 3),
      {"invalid read", "48 bytes before the start of buffer 0 'values'", "threadgroup (3, 0, 0)"});
  expect_good_work();
}

TEST_F(ContainmentTest, names_the_thread_of_a_resumable_kernel) {
  expect_mentions(error_of(resumable<write_behind_after_barrier>(), 3, 2),
                  {"invalid write", "threadgroup (2, 0, 0), thread (45, 0, 0)"});
  expect_good_work();
}

TEST_F(ContainmentTest, names_arguments_that_are_null) {
  expect_mentions(error_of(plain(read_null)),
                  {"invalid read at address 0xc, a null pointer", "'extra' ([[buffer(2)]])"});
  expect_mentions(error_of(plain(call_null)), {"jump to invalid code at address 0x0"});
  expect_good_work();
}

TEST_F(ContainmentTest, says_when_a_pointer_is_no_address) {
  expect_mentions(error_of(plain(read_no_address)), {"no address at all"});
  expect_good_work();
}

TEST_F(ContainmentTest, a_refused_division_is_an_error) {
  expect_mentions(error_of(plain(divide_by_zero)), {"integer division", "divisor of 0"});
  expect_good_work();
}

TEST_F(ContainmentTest, an_illegal_instruction_is_an_error) {
  expect_mentions(error_of(plain(execute_nothing)), {"cannot execute", "undefined behaviour"});
  expect_good_work();
}

TEST_F(ContainmentTest, a_stack_that_is_too_small_is_reported_as_such) {
  expect_mentions(error_of(plain(overflow_stack)), {"private memory", "stack", "smaller arrays"});
  expect_mentions(error_of(plain(overflow_stack)), {"private memory"});
  expect_good_work();
}

// A guard page behind a buffer of some size makes running over its end a fault.
TEST_F(ContainmentTest, running_over_the_end_of_a_large_buffer_is_caught) {
  values_ = *device_->allocate(uint64_t{4} << 20, "large");
  const auto run_over = [](const GroupContext* group) {
    for (uint64_t byte = 0; byte < uint64_t{16} << 20; byte += 4) {
      store_word(values_of(group) + byte, 1);
    }
  };
  expect_mentions(error_of(plain(run_over)),
                  {"bytes past the end of buffer 0 'values' (4194304 bytes, label 'large')"});
  expect_good_work();
}

// Small buffers share pages with each other and with nothing else.
TEST_F(ContainmentTest, running_over_the_end_of_a_small_buffer_is_caught) {
  values_ = *device_->allocate(64 * sizeof(uint32_t), "small");
  const auto write_everywhere = [](const GroupContext* group) {
    const uintptr_t index = group->threadgroup_position_in_grid[0];
    for (uintptr_t thread = 0; thread < 1000; ++thread) {
      store_word(values_of(group) + (index * 1000 + thread) * sizeof(uint32_t), 1);
    }
  };
  for (const uint32_t groups : {5'000u, 1'000'000u}) {
    expect_mentions(error_of(plain(write_everywhere), groups),
                    {"invalid write",
                     "past the end of buffer 0 'values' (256 bytes, label "
                     "'small')"});
  }
  values_ = *device_->allocate(kValuesBytes, "result", {.zeroed = true});
  expect_good_work();
}

TEST_F(ContainmentTest, crashes_on_every_thread_of_a_large_launch_are_one_error) {
  const auto crash_everywhere = [](const GroupContext*) { store_word(64, 1); };
  for (int round = 0; round < 20; ++round) {
    expect_mentions(error_of(plain(crash_everywhere), 100'000), {"null pointer", "threadgroup ("});
  }
  expect_good_work();
}

TEST_F(ContainmentTest, a_crash_on_a_pool_thread_is_caught) {
  // The first groups hold their thread until another thread has crashed, so it is not the caller
  // who runs the last group.
  static std::atomic<std::thread::id> crashed_on;
  static std::atomic<bool> others_run;
  crashed_on = std::thread::id();
  others_run = false;
  const auto crash_on_another_thread = [](const GroupContext* group) {
    static std::atomic<std::thread::id> first;
    if (group->threadgroup_position_in_grid[0] == 0) {
      first = std::this_thread::get_id();
      const uint64_t end = now_ns() + 100'000;
      while (now_ns() < end) {
      }
      return;
    }
    if (std::this_thread::get_id() == first.load()) {
      const uint64_t end = now_ns() + 100'000'000;
      while (!others_run.load() && now_ns() < end) {
      }
      return;
    }
    others_run = true;
    crashed_on = std::this_thread::get_id();
    store_word(64, 1);
  };
  const auto kernel = load(plain(crash_on_another_thread));
  const auto submission = start(*queue_, kernel, 64, 0);
  EXPECT_FALSE(submission->wait());
  EXPECT_NE(crashed_on.load(), std::thread::id());
  EXPECT_NE(crashed_on.load(), std::this_thread::get_id());
  expect_good_work();
}

TEST_F(ContainmentTest, survives_a_hundred_crashes_in_a_row) {
  const auto bad = load(plain(write_behind));
  const auto good = load(plain(count_groups), "good");
  for (uint32_t round = 0; round < 100; ++round) {
    counter() = 0;
    const auto crashed = start(*queue_, bad, 1 + round, round);
    const auto ran = start(*queue_, good, 7, 0);
    EXPECT_FALSE(crashed->wait());
    EXPECT_TRUE(ran->wait());
    EXPECT_EQ(crashed->dispatches().front().status, Status::kFailed);
    EXPECT_EQ(ran->dispatches().front().status, Status::kCompleted);
    EXPECT_GE(counter(), 7U);
  }
  EXPECT_FALSE(queue_->wait());
  expect_good_work();
}

TEST_F(ContainmentTest, other_queues_run_on) {
  const auto good = load(plain(count_groups), "good");
  const auto bad = load(plain(write_behind));
  const auto other = *device_->create_queue();
  std::vector<std::shared_ptr<Submission>> work;
  const auto counters = *device_->allocate(64, "", {.zeroed = true});
  for (int round = 0; round < 50; ++round) {
    auto commands = other->command_buffer();
    ASSERT_TRUE(commands->dispatch(good, Bindings().buffer(0, counters).value(1, 0U),
                                   LaunchSize::threadgroups({20'000, 1, 1}, {1, 1, 1})));
    work.push_back(other->submit(std::move(commands)));
    EXPECT_FALSE(start(*queue_, bad, 100, 50)->wait());
  }
  for (const auto& submission : work) EXPECT_TRUE(submission->wait());
  EXPECT_EQ(*reinterpret_cast<uint32_t*>(counters->data()), 1'000'000U);
}

TEST_F(ContainmentTest, a_kernel_that_never_ends_is_stopped) {
  const uint64_t begin = now_ns();
  const std::string error = error_of(plain(never_end));
  const uint64_t elapsed = now_ns() - begin;
  expect_mentions(error, {"kernel 'bad' (bad.metal:7): stopped after ", "time limit",
                          "threadgroup (0, 0, 0)", "never ends"});
  EXPECT_GE(elapsed, 2'000'000'000U);
  EXPECT_LT(elapsed, 20'000'000'000U);
  expect_good_work();
}

TEST_F(ContainmentTest, one_group_of_many_that_never_ends_is_named) {
  expect_mentions(error_of(plain(never_end), 10'000, 4321), {"threadgroup (4321, 0, 0)"});
  expect_mentions(error_of(resumable<never_end_after_barrier>(), 20, 13),
                  {"threadgroup (13, 0, 0), thread (33, 0, 0)"});
  expect_good_work();
}

TEST_F(ContainmentTest, all_threads_are_usable_after_all_were_stopped) {
  const auto loop = [](const GroupContext*) { loop_for_ever(); };
  for (int round = 0; round < 3; ++round) {
    expect_mentions(error_of(plain(loop), 100'000), {"stopped after", "; threadgroup ("});
    expect_good_work();
  }
}

TEST_F(ContainmentTest, kernels_within_the_limit_are_left_alone) {
  const auto take_a_while = [](const GroupContext*) {
    const uint64_t end = now_ns() + 5'000'000;
    while (now_ns() < end) {
    }
  };
  const auto kernel = load(plain(take_a_while));
  // Together longer than the limit, each one shorter.
  for (int round = 0; round < 150; ++round) {
    const auto result = start(*queue_, kernel, 1, 0)->wait();
    ASSERT_TRUE(result) << result.error().message;
  }
}

class NoLimitTest : public ContainmentTest {
 protected:
  NoLimitTest() : ContainmentTest({.threads = 1, .kernel_time_limit = std::chrono::seconds(0)}) {}
};

TEST_F(NoLimitTest, zero_means_no_limit_and_faults_are_still_caught) {
  const auto take_a_while = [](const GroupContext*) {
    const uint64_t end = now_ns() + 200'000'000;
    while (now_ns() < end) {
    }
  };
  EXPECT_TRUE(start(*queue_, load(plain(take_a_while)), 1, 0)->wait());
  expect_mentions(error_of(plain(write_behind)), {"invalid write"});
}

// Faults of the host program go where they went before.
TEST(FaultHandlersDeathTest, faults_outside_of_kernels_still_end_the_process) {
  const auto device = *CpuDevice::create({.threads = 1});
  EXPECT_DEATH(store_word(64, 1), "");
  EXPECT_DEATH(raise(SIGSEGV), "");
}

// As LLVM does it: not wanted, so out of the way and raised again.
TEST_F(ContainmentTest, a_handler_set_later_that_raises_faults_again_is_no_obstacle) {
  static struct sigaction ours;
  struct sigaction later = {};
  later.sa_handler = [](int signal) {
    sigaction(signal, &ours, nullptr);
    raise(signal);
  };
  sigaction(SIGSEGV, &later, &ours);
  expect_mentions(error_of(plain(write_behind)),
                  {"invalid write at address 0x", "bytes past the end of buffer 0 'values'"});
  expect_good_work();
}

TEST_F(ContainmentTest, signals_are_taken_back_and_passed_on_to_a_handler_set_later) {
  static volatile int calls;
  static struct sigaction ours;
  calls = 0;
  struct sigaction later = {};
  later.sa_handler = [](int) { calls = calls + 1; };
  sigaction(SIGFPE, &later, &ours);
  install_fault_handlers();
  expect_mentions(error_of(plain(divide_by_zero)), {"integer division"});
  EXPECT_EQ(calls, 0);
  struct sigaction current = {};
  sigaction(SIGFPE, nullptr, &current);
  EXPECT_EQ(current.sa_sigaction, ours.sa_sigaction);
  siginfo_t info = {};
  info.si_signo = SIGFPE;
  info.si_code = FPE_INTDIV;
  ucontext_t context = {};
  current.sa_sigaction(SIGFPE, &info, &context);
  EXPECT_EQ(calls, 1);
}

TEST(FaultHandlersDeathTest, the_programs_own_handler_is_called) {
  const auto crash_with_handler = [] {
    struct sigaction action = {};
    action.sa_handler = [](int) { _exit(42); };
    sigaction(SIGBUS, &action, nullptr);
    // A fresh process image: the handlers are installed by the device below.
    const auto device = CpuDevice::create({.threads = 1});
    raise(SIGBUS);
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(crash_with_handler(), ::testing::ExitedWithCode(42), "");
}

}  // namespace
}  // namespace assay::device::cpu
