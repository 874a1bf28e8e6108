// Checks that would take more memory than they may.
#include <gtest/gtest.h>

#include <algorithm>

#include "device/cpu/cpu_device.h"
#include "pipeline/library.h"
#include "pipeline/pipeline_cache.h"
#include "sanitizer/check_service.h"

namespace assay::testing {
namespace {

constexpr size_t kElements = 1000;
constexpr uint64_t kCellBytes = 22;
constexpr const char* kSource = R"(
kernel void add(device const int* a [[buffer(0)]], device int* sum [[buffer(1)]],
                uint i [[thread_position_in_grid]]) {
  if (i < 1000u) sum[i == 999u ? 0u : i] = a[i] + 1;
})";

struct Outcome {
  Result<void> launch;
  std::vector<std::string> rules;  // of findings
};

// Elements 0 and 999 are written to the same place.
Outcome run_with(uint64_t race_bytes) {
  Outcome outcome;
  const std::shared_ptr<device::cpu::CpuDevice> device = *device::cpu::CpuDevice::create({});
  sanitizer::CheckService::attach(
      *device, {.race_bytes = race_bytes},
      [&](const sanitizer::Finding& finding) { outcome.rules.push_back(finding.rule); });
  codegen::BuildOptions options;
  options.checked = true;
  pipeline::PipelineCache pipelines(device, options);
  msl::CompileOptions compile;
  compile.debug_info = msl::DebugInfo::kLines;
  const auto library = pipeline::compile_library({"add.metal", kSource}, compile);
  const auto kernel = pipelines.get(**library, "add");
  const auto a = *device->allocate(kElements * sizeof(int)),
             sum = *device->allocate(kElements * sizeof(int));
  for (size_t i = 0; i < kElements; ++i) reinterpret_cast<int*>(a->data())[i] = static_cast<int>(i);
  const auto queue = *device->create_queue();
  auto commands = queue->command_buffer();
  device::Bindings bindings;
  bindings.buffer(0, a);
  bindings.buffer(1, sum);
  outcome.launch = commands->dispatch(*kernel, std::move(bindings),
                                      kernel::LaunchSize::threads({1024, 1, 1}, {64, 1, 1}));
  if (!outcome.launch) return outcome;
  queue->submit(std::move(commands));
  outcome.launch = queue->wait();
  return outcome;
}

bool has_race(const Outcome& outcome) {
  return std::ranges::find(outcome.rules, "race-device") != outcome.rules.end();
}

TEST(CheckMemory, is_enough_for_cells_of_what_is_written) {
  const Outcome outcome = run_with(kElements * kCellBytes);
  EXPECT_TRUE(outcome.launch) << outcome.launch.error().message;
  EXPECT_TRUE(has_race(outcome));
}

TEST(CheckMemory, that_is_missing_is_an_error_that_says_what_to_do) {
  const Outcome outcome = run_with(kElements * kCellBytes - 1);
  ASSERT_FALSE(outcome.launch);
  EXPECT_FALSE(has_race(outcome));
  EXPECT_NE(
      outcome.launch.error().message.find(
          "not enough memory to look for races in 'sum' (a buffer of 3.91 KiB needs 21.5 KiB"),
      std::string::npos)
      << outcome.launch.error().message;
}

}  // namespace
}  // namespace assay::testing
