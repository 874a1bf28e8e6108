// Integer divisions as compiled code against the rule of guard_division.h, with the divisors that
// a processor refuses.
#include "codegen/passes/guard_division.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "codegen/testing/build_text.h"
#include "codegen/testing/pass_fixture.h"
#include "codegen/testing/simple_executor.h"

namespace assay::codegen {
namespace {

template <typename T>
T expected_result(T a, T b, bool is_remainder) {
  const bool wraps =
      std::is_signed_v<T> && b == static_cast<T>(-1) && a == std::numeric_limits<T>::min();
  if (b == 0 || wraps) b = 1;
  return static_cast<T>(is_remainder ? a % b : a / b);
}

template <typename T>
void check(const std::string& operation, const std::string& type, bool is_remainder) {
  const std::string text = fmt::format(R"(
define void @k(ptr %pa, ptr %pb, ptr %pr, i32 %i) {{
  %w = zext i32 %i to i64
  %ea = getelementptr {0}, ptr %pa, i64 %w
  %eb = getelementptr {0}, ptr %pb, i64 %w
  %er = getelementptr {0}, ptr %pr, i64 %w
  %a = load {0}, ptr %ea
  %b = load {0}, ptr %eb
  %r = {1} {0} %a, %b
  store {0} %r, ptr %er
  ret void
}})",
                                       type, operation);
  const BuildOutput output =
      testing::build(text,
                     testing::kernel_info(
                         {testing::buffer("a", 0), testing::buffer("b", 1), testing::buffer("r", 2),
                          testing::attribute(kernel::ThreadAttribute::kThreadPositionInGrid)}),
                     testing::checked_options());
  using Limits = std::numeric_limits<T>;
  const std::vector<T> values = {0,
                                 1,
                                 static_cast<T>(-1),
                                 2,
                                 7,
                                 static_cast<T>(-7),
                                 100,
                                 Limits::min(),
                                 Limits::max(),
                                 static_cast<T>(Limits::min() + 1)};
  std::vector<T> a;
  std::vector<T> b;
  for (const T x : values) {
    for (const T y : values) a.push_back(x), b.push_back(y);
  }
  std::vector<T> result(a.size());
  testing::run(output.image, {.grid = {static_cast<uint32_t>(a.size()), 1, 1},
                              .threadgroup = {64, 1, 1},
                              .buffers = {a.data(), b.data(), result.data()}});
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(result[i], expected_result(a[i], b[i], is_remainder))
        << operation << " " << type << " " << +a[i] << " by " << +b[i];
  }
}

TEST(GuardDivision, gives_every_pair_of_numbers_a_result) {
  check<int32_t>("sdiv", "i32", false);
  check<int32_t>("srem", "i32", true);
  check<uint32_t>("udiv", "i32", false);
  check<uint32_t>("urem", "i32", true);
  check<int64_t>("sdiv", "i64", false);
  check<uint64_t>("urem", "i64", true);
  check<int16_t>("sdiv", "i16", false);
  check<int8_t>("srem", "i8", true);
}

// Without the rule LLVM concludes that the branch is never taken and drops the store.
TEST(GuardDivision, keeps_the_path_that_divides_by_zero) {
  const BuildOutput output = testing::build(
      R"(
define void @k(ptr %out, i32 %i) {
  %is_zero = icmp eq i32 %i, 0
  br i1 %is_zero, label %bad, label %good
bad:
  %q = udiv i32 12, %i
  %r = add i32 %q, 30
  store i32 %r, ptr %out
  br label %good
good:
  ret void
})",
      testing::kernel_info({testing::buffer("out", 0),
                            testing::attribute(kernel::ThreadAttribute::kThreadPositionInGrid)}),
      testing::checked_options());
  uint32_t result = 0;
  testing::run(output.image, {.grid = {5, 1, 1}, .threadgroup = {5, 1, 1}, .buffers = {&result}});
  EXPECT_EQ(result, 42U);
}

TEST(GuardDivision, leaves_divisions_by_harmless_constants_alone) {
  testing::PassFixture fixture(R"(
define void @k() {
  %a = load i32, ptr null
  %q = sdiv i32 %a, 12
  %r = urem i32 %q, -1
  store i32 %r, ptr null
  ret void
})");
  EXPECT_EQ(fixture.run({{"guard-division", guard_division}}), "");
  EXPECT_EQ(fixture.text().find("select"), std::string::npos);
}

}  // namespace
}  // namespace assay::codegen
