// Half operations for every pattern, against LLVM's software floating point.
#include "codegen/passes/lower_half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "codegen/testing/build_text.h"
#include "codegen/testing/simple_executor.h"
#include "llvm/ADT/APFloat.h"

namespace assay::codegen {
namespace {

using llvm::APFloat;
using Reference = std::function<APFloat(APFloat a, APFloat b)>;

APFloat from_bits(uint16_t bits) { return APFloat(APFloat::IEEEhalf(), llvm::APInt(16, bits)); }

// `body` computes half %r from half %a and %b; %a takes every value. Build for `cpu`.
void check(const std::string& body, const Reference& reference, const std::string& cpu) {
  std::string text = R"(
declare float @llvm.maxnum.f32(float, float)
declare half @llvm.maxnum.f16(half, half)
declare half @llvm.minnum.f16(half, half)
declare half @llvm.floor.f16(half)
declare half @llvm.rint.f16(half)
declare half @llvm.sqrt.f16(half)
define void @k(ptr %pa, ptr %pb, ptr %pr, i32 %i) {
  %w = zext i32 %i to i64
  %ea = getelementptr half, ptr %pa, i64 %w
  %eb = getelementptr half, ptr %pb, i64 %w
  %er = getelementptr half, ptr %pr, i64 %w
  %a = load half, ptr %ea
  %b = load half, ptr %eb
)" + body + R"(
  store half %r, ptr %er
  ret void
})";
  BuildOptions options = testing::checked_options();
  options.cpu = cpu;
  BuildOutput output =
      testing::build(text,
                     testing::kernel_info(
                         {testing::buffer("a", 0), testing::buffer("b", 1), testing::buffer("r", 2),
                          testing::attribute(kernel::ThreadAttribute::kThreadPositionInGrid)}),
                     options);
  std::vector<uint16_t> a(1 << 16), b(1 << 16), result(1 << 16);
  for (size_t i = 0; i < a.size(); ++i) a[i] = i, b[i] = i * 40503 + 17;
  testing::run(output.image, {.grid = {1 << 16, 1, 1},
                              .threadgroup = {1000, 1, 1},
                              .buffers = {a.data(), b.data(), result.data()}});
  for (size_t i = 0; i < a.size(); ++i) {
    APFloat expected = reference(from_bits(a[i]), from_bits(b[i]));
    APFloat actual = from_bits(result[i]);
    if (expected.isNaN()) {
      ASSERT_TRUE(actual.isNaN()) << std::hex << a[i] << " " << b[i];
    } else {
      ASSERT_TRUE(actual.bitwiseIsEqual(expected)) << std::hex << a[i] << " " << b[i];
    }
  }
}

void check_on_all(const std::string& body, const Reference& reference) {
  for (const char* cpu : {"", "x86-64", "x86-64-v3"}) {
    if (std::string(cpu) == "x86-64-v3" && !__builtin_cpu_supports("avx2")) continue;
    check(body, reference, cpu);
  }
}

TEST(LowerHalf, computes_minimum_and_maximum_without_library_calls) {
  check_on_all("  %r = call half @llvm.maxnum.f16(half %a, half %b)",
               [](APFloat a, APFloat b) { return maxnum(a, b); });
  check_on_all("  %r = call half @llvm.minnum.f16(half %a, half %b)",
               [](APFloat a, APFloat b) { return minnum(a, b); });
}

TEST(LowerHalf, covers_operations_that_the_optimiser_narrows) {
  // As the standard library writes it: in float, between conversions.
  check_on_all(R"(
  %wa = fpext half %a to float
  %wb = fpext half %b to float
  %m = call float @llvm.maxnum.f32(float %wa, float %wb)
  %r = fptrunc float %m to half)",
               [](APFloat a, APFloat b) { return maxnum(a, b); });
}

TEST(LowerHalf, compares_and_selects_without_library_calls) {
  // The flags allow LLVM to see a maximum; equal zeros and NaNs are kept out of the comparison.
  check_on_all(R"(
  %p = fcmp nnan ogt half %a, 0xH3C00
  %m = select nnan nsz i1 %p, half %a, half 0xH3C00
  %ordered = fcmp ord half %a, 0xH0000
  %r = select i1 %ordered, half %m, half 0xH4000)",
               [](APFloat a, APFloat) {
                 if (a.isNaN()) return from_bits(0x4000);
                 APFloat one = from_bits(0x3c00);
                 return a > one ? a : one;
               });
}

TEST(LowerHalf, rounds_to_integers_and_takes_roots) {
  check_on_all("  %r = call half @llvm.floor.f16(half %a)", [](APFloat a, APFloat) {
    a.roundToIntegral(llvm::RoundingMode::TowardNegative);
    return a;
  });
  check_on_all("  %r = call half @llvm.rint.f16(half %a)", [](APFloat a, APFloat) {
    a.roundToIntegral(llvm::RoundingMode::NearestTiesToEven);
    return a;
  });
  check_on_all("  %r = call half @llvm.sqrt.f16(half %a)", [](APFloat a, APFloat) {
    APFloat root(std::sqrt(a.convertToFloat()));
    bool loses = false;
    root.convert(APFloat::IEEEhalf(), llvm::RoundingMode::NearestTiesToEven, &loses);
    return root;
  });
}

}  // namespace
}  // namespace assay::codegen
