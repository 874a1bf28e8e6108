// bfloat operations as compiled code against LLVM's own software floating point.
#include "codegen/passes/lower_bfloat.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "codegen/testing/build_text.h"
#include "codegen/testing/pass_fixture.h"
#include "codegen/testing/simple_executor.h"
#include "llvm/ADT/APFloat.h"

namespace assay::codegen {
namespace {

using llvm::APFloat;
using llvm::APInt;
using Bits = std::vector<uint16_t>;

constexpr auto kNearestEven = llvm::RoundingMode::NearestTiesToEven;

APFloat from_bits(uint16_t bits) { return APFloat(APFloat::BFloat(), APInt(16, bits)); }

uint16_t to_bits(const APFloat& value) {
  return static_cast<uint16_t>(value.bitcastToAPInt().getZExtValue());
}

uint16_t round_to_bfloat(APFloat value) {
  bool loses = false;
  value.convert(APFloat::BFloat(), kNearestEven, &loses);
  return to_bits(value);
}

// All exponents with small and large fractions, specials, then random patterns.
Bits sample_bits(size_t count, uint32_t seed) {
  Bits bits = {0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x0080, 0x3f80, 0xbf80, 0x3f81, 0x7f7f,
               0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xffc0, 0x7f81, 0xff81, 0x7fff, 0x4049, 0x3eaa};
  std::mt19937 random(seed);
  while (bits.size() < count) bits.push_back(static_cast<uint16_t>(random()));
  return bits;
}

bool is_nan(uint16_t bits) { return (bits & 0x7fff) > 0x7f80; }

// `body` computes bfloat %r from bfloat %a, %b, %c.
Bits run_body(const std::string& body, const Bits& a, const Bits& b, const Bits& c) {
  std::string text = R"(
declare bfloat @llvm.fma.bf16(bfloat, bfloat, bfloat)
declare bfloat @llvm.fmuladd.bf16(bfloat, bfloat, bfloat)
declare bfloat @llvm.sqrt.bf16(bfloat)
declare bfloat @llvm.fabs.bf16(bfloat)
declare bfloat @llvm.floor.bf16(bfloat)
declare bfloat @llvm.copysign.bf16(bfloat, bfloat)
declare bfloat @llvm.minnum.bf16(bfloat, bfloat)
declare i1 @llvm.is.fpclass.bf16(bfloat, i32)
define bfloat @repeat(bfloat %a, bfloat %b) noinline {
entry:
  %bits = bitcast bfloat %b to i16
  %count = and i16 %bits, 7
  br label %head
head:
  %sum = phi bfloat [0.0, %entry], [%next, %body]
  %i = phi i16 [0, %entry], [%i1, %body]
  %more = icmp ult i16 %i, %count
  br i1 %more, label %body, label %done
body:
  %next = fadd bfloat %sum, %a
  %i1 = add i16 %i, 1
  br label %head
done:
  %pair = insertvalue { i32, bfloat } undef, bfloat %sum, 1
  %part = extractvalue { i32, bfloat } %pair, 1
  ret bfloat %part
}
define void @k(ptr %pa, ptr %pb, ptr %pc, ptr %pr, i32 %i) {
  %w = zext i32 %i to i64
  %ea = getelementptr bfloat, ptr %pa, i64 %w
  %eb = getelementptr bfloat, ptr %pb, i64 %w
  %ec = getelementptr bfloat, ptr %pc, i64 %w
  %er = getelementptr bfloat, ptr %pr, i64 %w
  %a = load bfloat, ptr %ea
  %b = load bfloat, ptr %eb
  %c = load bfloat, ptr %ec
)" + body + R"(
  store bfloat %r, ptr %er
  ret void
})";
  BuildOutput output = testing::build(
      text,
      testing::kernel_info({testing::buffer("a", 0), testing::buffer("b", 1),
                            testing::buffer("c", 2), testing::buffer("r", 3),
                            testing::attribute(kernel::ThreadAttribute::kThreadPositionInGrid)}));
  Bits result(a.size());
  auto pointer = [](const Bits& bits) { return const_cast<uint16_t*>(bits.data()); };
  testing::run(output.image, {.grid = {static_cast<uint32_t>(a.size()), 1, 1},
                              .threadgroup = {1000, 1, 1},
                              .buffers = {pointer(a), pointer(b), pointer(c), result.data()}});
  return result;
}

using Reference = std::function<uint16_t(APFloat a, APFloat b, APFloat c)>;

// Operations that compute may return any quiet NaN; those that only move bits keep them.
enum class NaN { kQuiet, kSameBits };

void check(const std::string& body, const Reference& reference, NaN nan = NaN::kQuiet) {
  constexpr size_t count = 60'000;
  Bits a = sample_bits(count, 1), b = sample_bits(count, 2), c = sample_bits(count, 3);
  // Every special value meets every other one.
  for (size_t i = 0; i < 20 * 20; ++i) a[20 + i] = a[i / 20], b[20 + i] = b[i % 20];
  Bits result = run_body(body, a, b, c);
  for (size_t i = 0; i < count; ++i) {
    uint16_t expected = reference(from_bits(a[i]), from_bits(b[i]), from_bits(c[i]));
    if (is_nan(expected) && nan == NaN::kQuiet) {
      ASSERT_TRUE(is_nan(result[i]) && (result[i] & 0x40)) << std::hex << a[i] << " " << b[i];
    } else {
      ASSERT_EQ(result[i], expected) << std::hex << a[i] << " " << b[i] << " " << c[i];
    }
  }
}

TEST(LowerBfloat, adds_subtracts_multiplies_and_divides_correctly_rounded) {
  check("%r = fadd bfloat %a, %b", [](APFloat a, APFloat b, APFloat) {
    a.add(b, kNearestEven);
    return to_bits(a);
  });
  check("%r = fsub bfloat %a, %b", [](APFloat a, APFloat b, APFloat) {
    a.subtract(b, kNearestEven);
    return to_bits(a);
  });
  check("%r = fmul bfloat %a, %b", [](APFloat a, APFloat b, APFloat) {
    a.multiply(b, kNearestEven);
    return to_bits(a);
  });
  check("%r = fdiv bfloat %a, %b", [](APFloat a, APFloat b, APFloat) {
    a.divide(b, kNearestEven);
    return to_bits(a);
  });
}

TEST(LowerBfloat, computes_fma_in_float_and_rounds_once_more) {
  auto widen = [](APFloat value) {
    bool loses = false;
    value.convert(APFloat::IEEEsingle(), kNearestEven, &loses);
    return value;
  };
  check("%r = call bfloat @llvm.fma.bf16(bfloat %a, bfloat %b, bfloat %c)",
        [&](APFloat a, APFloat b, APFloat c) {
          APFloat result = widen(a);
          result.fusedMultiplyAdd(widen(b), widen(c), kNearestEven);
          return round_to_bfloat(result);
        });
  check("%r = call bfloat @llvm.fmuladd.bf16(bfloat %a, bfloat %b, bfloat %c)",
        [&](APFloat a, APFloat b, APFloat c) {
          APFloat result = widen(a);
          result.multiply(widen(b), kNearestEven);
          result.add(widen(c), kNearestEven);
          return round_to_bfloat(result);
        });
}

TEST(LowerBfloat, converts_float_for_all_upper_halves_and_tricky_lower_halves) {
  // %a gives the upper, %b the lower half of a float.
  Bits upper(1 << 16), lower, zero(1 << 16);
  for (size_t i = 0; i < upper.size(); ++i) upper[i] = static_cast<uint16_t>(i);
  for (uint16_t pattern : {0x0000, 0x0001, 0x7fff, 0x8000, 0x8001, 0xffff, 0x4000}) {
    lower.assign(upper.size(), pattern);
    Bits result = run_body(R"(
  %ab = bitcast bfloat %a to i16
  %bb = bitcast bfloat %b to i16
  %aw = zext i16 %ab to i32
  %bw = zext i16 %bb to i32
  %high = shl i32 %aw, 16
  %bits = or i32 %high, %bw
  %f = bitcast i32 %bits to float
  %r = fptrunc float %f to bfloat)",
                           upper, lower, zero);
    for (size_t i = 0; i < upper.size(); ++i) {
      APFloat value(APFloat::IEEEsingle(), APInt(32, (i << 16) | pattern));
      uint16_t expected = round_to_bfloat(value);
      if (value.isNaN()) {
        ASSERT_TRUE(is_nan(result[i]) && (result[i] & 0x40)) << std::hex << i << " " << pattern;
        ASSERT_EQ(result[i] & 0x8000, i & 0x8000) << "the sign of a NaN changed";
      } else {
        ASSERT_EQ(result[i], expected) << std::hex << i << " " << pattern;
      }
    }
  }
}

TEST(LowerBfloat, widens_compares_and_moves_signs_exactly) {
  check(
      "%r = fneg bfloat %a",
      [](APFloat a, APFloat, APFloat) { return static_cast<uint16_t>(to_bits(a) ^ 0x8000); },
      NaN::kSameBits);
  check(
      "%r = call bfloat @llvm.fabs.bf16(bfloat %a)",
      [](APFloat a, APFloat, APFloat) { return static_cast<uint16_t>(to_bits(a) & 0x7fff); },
      NaN::kSameBits);
  check(
      "%r = call bfloat @llvm.copysign.bf16(bfloat %a, bfloat %b)",
      [](APFloat a, APFloat b, APFloat) {
        a.copySign(b);
        return to_bits(a);
      },
      NaN::kSameBits);
  check(
      "%less = fcmp olt bfloat %a, %b\n  %r = select i1 %less, bfloat %a, bfloat %c",
      [](APFloat a, APFloat b, APFloat c) { return to_bits(a < b ? a : c); }, NaN::kSameBits);
  check("%t = fcmp uno bfloat %a, %b\n  %r = select i1 %t, bfloat 1.0, bfloat 2.0",
        [](APFloat a, APFloat b, APFloat) -> uint16_t {
          return a.isNaN() || b.isNaN() ? 0x3f80 : 0x4000;
        });
  // 0x90: a subnormal of either sign.
  check(
      "%t = call i1 @llvm.is.fpclass.bf16(bfloat %a, i32 144)\n"
      "  %r = select i1 %t, bfloat 1.0, bfloat 2.0",
      [](APFloat a, APFloat, APFloat) -> uint16_t { return a.isDenormal() ? 0x3f80 : 0x4000; });
}

TEST(LowerBfloat, lowers_other_intrinsics_through_float) {
  check("%r = call bfloat @llvm.floor.bf16(bfloat %a)", [](APFloat a, APFloat, APFloat) {
    a.roundToIntegral(llvm::RoundingMode::TowardNegative);
    return to_bits(a);
  });
  // Zeros are left out: minnum may return either of two.
  check(R"(%zero = fcmp oeq bfloat %a, 0.0
  %other = select i1 %zero, bfloat 1.0, bfloat %a
  %r = call bfloat @llvm.minnum.bf16(bfloat %other, bfloat %b))",
        [](APFloat a, APFloat b, APFloat) {
          return to_bits(minnum(a.isZero() ? from_bits(0x3f80) : a, b));
        });
  check("%r = call bfloat @llvm.sqrt.bf16(bfloat %a)", [](APFloat a, APFloat, APFloat) -> uint16_t {
    if (a.isNaN() || (a.isNegative() && !a.isZero())) return 0x7fc0;
    float root = std::sqrt(a.convertToFloat());
    return round_to_bfloat(APFloat(root));
  });
}

TEST(LowerBfloat, converts_integers_both_ways) {
  check(R"(%bits = bitcast bfloat %a to i16
  %int = sext i16 %bits to i32
  %r = sitofp i32 %int to bfloat)",
        [](APFloat a, APFloat, APFloat) {
          return round_to_bfloat(APFloat(static_cast<float>(static_cast<int16_t>(to_bits(a)))));
        });
  check(
      R"(%small = fcmp olt bfloat %a, 1000.0
  %big = fcmp ogt bfloat %a, -1000.0
  %fits = and i1 %small, %big
  %safe = select i1 %fits, bfloat %a, bfloat 7.0
  %int = fptosi bfloat %safe to i16
  %r = bitcast i16 %int to bfloat)",
      [](APFloat a, APFloat, APFloat) {
        float value = a.convertToFloat();
        bool fits = value < 1000 && value > -1000;
        return static_cast<uint16_t>(static_cast<int16_t>(fits ? value : 7.0f));
      },
      NaN::kSameBits);
}

TEST(LowerBfloat, leaves_no_value_of_type_bfloat) {
  testing::PassFixture fixture(R"(
define bfloat @choose(i1 %c, bfloat nofpclass(nan) %a, bfloat %b) {
  br i1 %c, label %yes, label %no
yes:
  %s = fadd bfloat %a, %b
  br label %end
no:
  %t = select i1 %c, bfloat %a, bfloat 0xR3F80
  br label %end
end:
  %r = phi bfloat [%s, %yes], [%t, %no]
  ret bfloat %r
}
define void @k(ptr %p, i1 %c) {
  %a = load bfloat, ptr %p
  %f = freeze bfloat %a
  %b = call bfloat @choose(i1 %c, bfloat %f, bfloat 0xR4000)
  %i = fptosi bfloat %b to i32
  %d = sitofp i32 %i to bfloat
  %e = fneg bfloat %d
  store bfloat %e, ptr %p
  ret void
})");
  EXPECT_EQ(fixture.run({{"lower-bfloat", lower_bfloat}}), "");
  EXPECT_EQ(fixture.text().find("bfloat"), std::string::npos) << fixture.text();
}

TEST(LowerBfloat, carries_values_through_calls_loops_and_struct_members) {
  // Sums %a as often as the lowest bits of %b say, in a function, and returns a member of a struct.
  check(R"(%r = call bfloat @repeat(bfloat %a, bfloat %b)
  br label %finish
finish:)",
        [](APFloat a, APFloat b, APFloat) {
          APFloat sum = from_bits(0);
          for (int i = 0; i < (to_bits(b) & 7); ++i) sum.add(a, kNearestEven);
          return to_bits(sum);
        });
}

}  // namespace
}  // namespace assay::codegen
