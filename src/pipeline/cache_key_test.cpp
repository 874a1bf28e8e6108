#include "pipeline/cache_key.h"

#include <gtest/gtest.h>

#include <set>

#include "pipeline/compiler_id.h"

namespace assay::pipeline {
namespace {

const msl::Source kSource{"k.metal", "kernel void k() {}"};

TEST(CacheKey, depends_on_everything_that_changes_a_compilation) {
  std::vector<msl::CompileOptions> variants(10);
  variants[1].include_folders = {"a"};
  variants[2].include_folders = {"a", "b"};
  variants[3].defines = {{"a", "b"}};
  variants[4].defines = {{"a", ""}, {"b", ""}};
  variants[5].math_mode = msl::MathMode::kRelaxed;
  variants[6].math_mode = msl::MathMode::kFast;
  variants[7].analyse_access = false;
  variants[8].debug_info = msl::DebugInfo::kLines;
  variants[9].debug_info = msl::DebugInfo::kFull;
  std::set<base::Hash128> keys;
  for (const msl::CompileOptions& options : variants) keys.insert(source_key(kSource, options));
  keys.insert(source_key({"other.metal", kSource.text}, {}));
  keys.insert(source_key({kSource.name, "kernel void k() { }"}, {}));
  EXPECT_EQ(keys.size(), variants.size() + 2);
  EXPECT_EQ(source_key(kSource, {}), source_key(kSource, variants[0]));
}

TEST(CacheKey, does_not_depend_on_limits) {
  msl::CompileOptions patient;
  patient.limits.seconds = 1e4;
  EXPECT_EQ(source_key(kSource, {}), source_key(kSource, patient));
  codegen::BuildOptions verified;
  verified.verify = true;
  verified.emit_assembly = true;
  EXPECT_EQ(target_key({}), target_key(verified));
}

TEST(CacheKey, tells_processors_apart) {
  std::set<base::Hash128> keys = {target_key({})};
  codegen::BuildOptions options;
  options.optimisation = 1;
  keys.insert(target_key(options));
  for (const char* cpu : {"x86-64", "x86-64-v3", "x86-64-v4"}) {
    options.cpu = cpu;
    keys.insert(target_key(options));
  }
  options.features = "-fma";
  keys.insert(target_key(options));
  options.debug = true;
  keys.insert(target_key(options));
  EXPECT_EQ(keys.size(), 7u);
}

TEST(CacheKey, depends_on_constants_but_not_on_their_order) {
  using Constants = std::vector<codegen::ConstantValue>;
  const auto key = [](const Constants& constants, std::string_view kernel = "k") {
    return kernel_key({.library = {.low = 1, .high = 2},
                       .target = {.low = 3, .high = 4},
                       .kernel = kernel,
                       .constants = constants});
  };
  const codegen::ConstantValue first{0, "a", {1}};
  const codegen::ConstantValue second{0, "b", {2, 0}};
  EXPECT_EQ(key({first, second}), key({second, first}));
  const std::set<base::Hash128> keys = {key({}),
                                        key({first}),
                                        key({second}),
                                        key({first, second}),
                                        key({{0, "a", {2}}}),
                                        key({{3, "", {1}}}),
                                        key({{4, "", {1}}}),
                                        key({first}, "other")};
  EXPECT_EQ(keys.size(), 8u);
}

TEST(CacheKey, belongs_to_one_state_of_the_compiler) {
  EXPECT_EQ(compiler_id(), compiler_id());
  EXPECT_NE(compiler_id(), base::Hash128());
}

}  // namespace
}  // namespace assay::pipeline
