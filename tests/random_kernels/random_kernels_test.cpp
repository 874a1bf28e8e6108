// Both executors give the same bytes for random kernels, and checks find nothing in them.
//
// random_kernels_test [--kernels=N] [--seed=FIRST] [--checks=1] [--reproducers=FOLDER]
#include <gtest/gtest.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>

#include "base/settings.h"
#include "fmt/format.h"
#include "tests/random_kernels/compare_executors.h"
#include "tests/random_kernels/kernel_generator.h"

namespace assay::testing {
namespace {

// One front-end run for several kernels.
constexpr uint32_t kBatch = 20;
// Kernels that fall back compare the reference executor with itself.
constexpr uint32_t kMaxFallbackPercent = 2;

struct Plan {
  uint32_t kernels = 100;
  uint64_t first_seed = 1;
  uint32_t checks = 0;
  std::string unknown_argument;
  std::filesystem::path reproducers = std::filesystem::temp_directory_path();
};

Plan& plan() {
  static Plan plan;
  return plan;
}

void report(uint64_t seed, const std::string& cpu, const std::string& failure) {
  const std::string text =
      fmt::format("// seed {}, cpu {}\n{}", seed, cpu.empty() ? "of this machine" : cpu, failure);
  const auto path = plan().reproducers / fmt::format("random_kernel_{}.metal", seed);
  std::ofstream(path) << text;
  ADD_FAILURE() << "written to " << path << "\n" << text;
}

TEST(RandomKernels, give_the_same_bytes_with_both_executors) {
  const Result<base::Settings> settings = base::load_settings();
  ASSERT_TRUE(settings) << settings.error().message;
  ASSERT_EQ(plan().unknown_argument, "");
  std::map<std::string, uint32_t> fallbacks;
  uint32_t fallback_count = 0;
  for (uint32_t first = 0; first < plan().kernels; first += kBatch) {
    std::vector<GeneratedKernel> kernels;
    for (uint32_t i = 0; i < std::min(kBatch, plan().kernels - first); ++i) {
      Choices choices(plan().first_seed + first + i);
      kernels.push_back(generate_kernel(choices, i));
    }
    const Comparison comparison =
        compare_executors(kernels, {.cpu = settings->cpu, .checks = plan().checks != 0});
    for (const Failure& failure : comparison.failures) {
      report(plan().first_seed + first + failure.kernel, settings->cpu, failure.text);
    }
    for (const std::string& reason : comparison.fallbacks) ++fallbacks[reason], ++fallback_count;
  }
  std::string reasons;
  for (const auto& [reason, count] : fallbacks) {
    reasons += fmt::format("{} not vectorised: {}\n", count, reason);
  }
  EXPECT_LE(fallback_count * 100, plan().kernels * kMaxFallbackPercent) << reasons;
}

template <typename Number>
bool read_number(std::string_view argument, std::string_view name, Number& number) {
  if (!argument.starts_with(name)) return false;
  argument.remove_prefix(name.size());
  return std::from_chars(argument.data(), argument.data() + argument.size(), number).ec ==
         std::errc();
}

void parse(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    constexpr std::string_view kFolder = "--reproducers=";
    if (argument.starts_with(kFolder)) {
      plan().reproducers = argument.substr(kFolder.size());
    } else if (!read_number(argument, "--kernels=", plan().kernels) &&
               !read_number(argument, "--seed=", plan().first_seed) &&
               !read_number(argument, "--checks=", plan().checks)) {
      plan().unknown_argument = argument;
    }
  }
}

}  // namespace
}  // namespace assay::testing

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  assay::testing::parse(argc, argv);
  return RUN_ALL_TESTS();
}
