// MSL kernels that crash or never end: an error with the kernel's name and place, and the next
// kernel runs. On a device of its own, with a short time limit.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "device/cpu/cpu_device.h"
#include "pipeline/library.h"
#include "pipeline/pipeline_cache.h"

namespace assay::testing {
namespace {

// Large enough for guard pages: they begin right before it and 256 KiB behind its end.
constexpr uint64_t kValuesBytes = uint64_t{1} << 20;

class KernelContainment : public ::testing::Test {
 protected:
  KernelContainment()
      : device_(*device::cpu::CpuDevice::create(
            {.threads = 3, .kernel_time_limit = std::chrono::seconds(3)})),
        pipelines_(device_),
        queue_(*device_->create_queue()),
        values_(*device_->allocate(kValuesBytes, "values", {.zeroed = true})) {}

  // Runs kernel k(device uint* values, constant uint& n) over 20 groups of 64 threads.
  Result<void> run(const std::string& source, uint32_t n) {
    auto library = pipeline::compile_library(
        {"bad.metal", "#include <metal_stdlib>\nusing namespace metal;\n" + source}, {});
    if (!library) return library.error();
    std::vector<codegen::ConstantValue> constants;
    for (const kernel::FunctionConstant& constant : (*library)->compiled().function_constants) {
      auto value = pipeline::parse_constant(constant, "false");
      if (!value) return value.error();
      constants.push_back(std::move(*value));
    }
    auto kernel = pipelines_.get(**library, "k", constants);
    if (!kernel) return kernel.error();
    auto commands = queue_->command_buffer();
    auto added = commands->dispatch(*kernel, device::Bindings().buffer(0, values_).value(1, n),
                                    kernel::LaunchSize::threadgroups({20, 1, 1}, {64, 1, 1}));
    if (!added) return added.error();
    return queue_->submit(std::move(commands))->wait();
  }
  void expect_error(const std::string& source, uint32_t n, const std::vector<std::string>& parts) {
    const Result<void> result = run(source, n);
    ASSERT_FALSE(result);
    for (const std::string& part : parts) {
      EXPECT_NE(result.error().message.find(part), std::string::npos)
          << "'" << part << "' is missing in: " << result.error().message;
    }
    expect_good_work();
  }
  void expect_good_work() {
    const Result<void> result =
        run("kernel void k(device uint* values, constant uint& n,\n"
            "              uint i [[thread_position_in_grid]]) {\n"
            "  if (i < n) values[i] = 3 * i + n;\n}",
            1000);
    ASSERT_TRUE(result) << result.error().message;
    for (uint32_t i = 0; i < 1000; ++i) ASSERT_EQ(word(i), 3 * i + 1000);
  }
  uint32_t& word(size_t i) { return reinterpret_cast<uint32_t*>(values_->data())[i]; }

  std::shared_ptr<device::cpu::CpuDevice> device_;
  pipeline::PipelineCache pipelines_;
  std::unique_ptr<device::Queue> queue_;
  std::shared_ptr<device::Buffer> values_;
};

TEST_F(KernelContainment, an_index_far_outside_of_a_buffer_is_an_error) {
  expect_error(
      "kernel void k(device uint* values, constant uint& n,\n"
      "              uint i [[thread_position_in_grid]]) {\n"
      "  values[n + i] = i;\n}",
      (kValuesBytes + (256 << 10)) / 4 + 9,
      {"kernel 'k' (bad.metal:3): invalid write at address 0x",
       "past the end of buffer 0 'values' (1048576 bytes)", "threadgroup ("});
}

TEST_F(KernelContainment, a_wild_read_behind_a_barrier_names_the_group) {
  expect_error(
      "kernel void k(device uint* values, constant uint& n,\n"
      "              uint i [[thread_index_in_threadgroup]],\n"
      "              uint g [[threadgroup_position_in_grid]]) {\n"
      "  threadgroup uint tile[64];\n"
      "  tile[i] = i;\n"
      "  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
      "  if (g == 17 && i == 40) tile[i] = values[long(n) - 12];\n"
      "  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
      "  values[i] = tile[63 - i];\n}",
      0,
      {"invalid read", "48 bytes before the start of buffer 0 'values'", "threadgroup (17, 0, 0)",
       "thread"});
}

// Less than a page away: nothing of the host may lie there.
TEST_F(KernelContainment, an_index_behind_threadgroup_memory_is_an_error) {
  expect_error(
      "kernel void k(device uint* values, constant uint& n,\n"
      "              uint i [[thread_index_in_threadgroup]]) {\n"
      "  threadgroup uint tile[64];\n"
      "  tile[i * n] = i;\n"
      "  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
      "  values[i] = tile[63 - i];\n}",
      3, {"invalid write", "past the end of threadgroup memory (256 bytes)"});
}

TEST_F(KernelContainment, reading_an_absent_argument_is_an_error) {
  expect_error(
      "constant bool has_extra [[function_constant(0)]];\n"
      "kernel void k(device uint* values, constant uint& n,\n"
      "              const device uint* extra [[function_constant(has_extra)]],\n"
      "              uint i [[thread_position_in_grid]]) {\n"
      "  values[i % 1024] = extra[n];\n}",
      3,
      {"kernel 'k' (bad.metal:4): it reached code that the processor cannot execute",
       "undefined behaviour"});
}

TEST_F(KernelContainment, a_loop_that_never_ends_is_stopped) {
  expect_error(
      "kernel void k(device atomic_uint* values, constant uint& n,\n"
      "              uint i [[thread_position_in_grid]]) {\n"
      "  while (atomic_load_explicit(values, memory_order_relaxed) != n) {}\n}",
      12345, {"kernel 'k' (bad.metal:3): stopped after ", "time limit", "threadgroup ("});
}

// To C++ such loops are undefined behaviour.
TEST_F(KernelContainment, a_loop_that_cannot_end_is_stopped) {
  for (const char* body : {"while (true) values[i % 1024] += n;", "while (true) {}",
                           "for (uint k = n; k >= 0; --k) values[i % 1024] += 1;",
                           "if (i == 37) while (true) values[0] += 1;\n  values[i % 1024] = n;"}) {
    expect_error(std::string("kernel void k(device uint* values, constant uint& n,\n"
                             "              uint i [[thread_position_in_grid]]) {\n  ") +
                     body + "\n}",
                 3, {"kernel 'k' (bad.metal:3): stopped after ", "time limit", "threadgroup ("});
  }
}

TEST_F(KernelContainment, a_loop_over_barriers_that_never_ends_is_stopped) {
  expect_error(
      "kernel void k(device atomic_uint* values, constant uint& n,\n"
      "              uint g [[threadgroup_position_in_grid]]) {\n"
      "  while (g == 5 && atomic_load_explicit(values, memory_order_relaxed) != n) {\n"
      "    threadgroup_barrier(mem_flags::mem_device);\n"
      "  }\n}",
      12345, {"stopped after ", "threadgroup (5, 0, 0)"});
}

TEST_F(KernelContainment, integer_division_by_zero_goes_on_as_metal_does) {
  word(1000) = 0;
  const Result<void> result =
      run("kernel void k(device int* values, constant int& n,\n"
          "              uint i [[thread_position_in_grid]]) {\n"
          "  if (i > 0 && i < 900) values[i] = int(i) / n + int(i) % n;\n"
          "  if (i == 901) values[1000] = 1;\n}",
          0);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(word(1000), 1U);
}

TEST_F(KernelContainment, private_arrays_that_no_stack_can_hold_are_refused) {
  const Result<void> result =
      run("kernel void k(device uint* values, constant uint& n,\n"
          "              uint i [[thread_position_in_grid]]) {\n"
          "  uint big[8000000];\n"
          "  for (uint j = 0; j < 8000000; ++j) big[(j * n) % 8000000] = j + i;\n"
          "  values[i % 1024] = big[n];\n}",
          7);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("private"), std::string::npos) << result.error().message;
  EXPECT_NE(result.error().message.find("smaller arrays"), std::string::npos)
      << result.error().message;
  expect_good_work();
}

}  // namespace
}  // namespace assay::testing
