// Which code is let in, on whatever machine the test runs.
#include "device/cpu/target_check.h"

#include <gtest/gtest.h>
#include <llvm/TargetParser/Host.h>

#include <string>

namespace assay::device::cpu {
namespace {

TEST(TargetCheck, accepts_code_for_any_machine_and_for_this_one) {
  EXPECT_TRUE(check_target(""));
  EXPECT_TRUE(check_target("x86-64"));
  std::string host = llvm::sys::getHostCPUName().str();
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
    if (feature.second) host += " +" + feature.first().str();
  }
  EXPECT_TRUE(check_target(host));
}

TEST(TargetCheck, names_the_instruction_set_that_is_missing) {
  const Result<void> refused = check_target("x86-64 +avx-of-the-future");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("'avx-of-the-future'"), std::string::npos);
  EXPECT_TRUE(check_target("x86-64 +avx-of-the-future -avx-of-the-future"));
}

TEST(TargetCheck, knows_the_features_behind_a_processor_name) {
  // No processor has the instructions of both.
  EXPECT_FALSE(check_target("bdver4").ok() && check_target("sapphirerapids").ok());
}

TEST(TargetCheck, ignores_features_that_code_never_uses) {
  EXPECT_TRUE(check_target("x86-64 +sgx +pku +enclave-of-the-future"));
}

}  // namespace
}  // namespace assay::device::cpu
