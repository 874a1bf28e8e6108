// half and bfloat: rounding of every operation, conversions, comparisons, vectors.
#include <bit>
#include <cmath>
#include <limits>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

using Half = _Float16;

// bfloat by hand: the upper half of a float, rounded to nearest, ties to even.
uint16_t bfloat_of(float x) {
  auto bits = std::bit_cast<uint32_t>(x);
  if (std::isnan(x)) return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}
float float_of(uint16_t bfloat) {
  return std::bit_cast<float>(static_cast<uint32_t>(bfloat) << 16);
}

// A spread of bit patterns over all exponents, with the special ones at the start.
uint16_t pattern(uint32_t i) {
  const uint16_t special[] = {0x0000, 0x8000, 0x3C00, 0xBC00, 0x7BFF, 0xFBFF, 0x0001, 0x8001,
                              0x03FF, 0x0400, 0x7C00, 0xFC00, 0x7F80, 0xFF80, 0x7F7F, 0x3F80};
  if (i < 16) return special[i];
  return static_cast<uint16_t>((i * 40503U) ^ (i >> 3));
}

bool same(Half a, Half b) {
  return std::bit_cast<uint16_t>(a) == std::bit_cast<uint16_t>(b) ||
         (std::isnan(static_cast<float>(a)) && std::isnan(static_cast<float>(b)));
}
bool same_bfloat(uint16_t a, uint16_t b) {
  return a == b || (std::isnan(float_of(a)) && std::isnan(float_of(b)));
}

// Every pattern once, in one dispatch.
constexpr uint32_t kPatterns = 65536;

TEST(Half, converts_every_pattern_to_float_and_back) {
  std::vector<uint16_t> in(kPatterns), back(kPatterns);
  std::vector<float> wide(kPatterns);
  for (uint32_t i = 0; i < kPatterns; ++i) in[i] = static_cast<uint16_t>(i);
  run_kernel({.source = R"(
    kernel void k(const device half* in, device float* wide, device half* back,
                  uint i [[thread_position_in_grid]]) {
      wide[i] = in[i];
      back[i] = half(wide[i]);
    })",
              .grid = {kPatterns, 1, 1},
              .threadgroup = {1000, 1, 1}},
             {buffer(in), buffer(wide), buffer(back)});
  for (uint32_t i = 0; i < kPatterns; ++i) {
    Half h = std::bit_cast<Half>(in[i]);
    if (std::isnan(static_cast<float>(h))) {
      ASSERT_TRUE(std::isnan(wide[i])) << i;
    } else {
      ASSERT_EQ(wide[i], static_cast<float>(h)) << i;
    }
    ASSERT_TRUE(same(std::bit_cast<Half>(back[i]), h)) << i;
  }
}

TEST(Half, rounds_after_every_operation) {
  const std::string source = R"(
    kernel void k(const device half* a, const device half* b, device half* o,
                  uint i [[thread_position_in_grid]]) {
      half x = a[i], y = b[i];
      o += 9 * i;
      o[0] = x + y; o[1] = x - y; o[2] = x * y; o[3] = x / y; o[4] = x * y + y;
      half sum = 0.0h;
      for (int j = 0; j < 5; ++j) sum += x * 0.1h;
      o[5] = sum; o[6] = -x; o[7] = sqrt(fabs(x)); o[8] = half(float(x) * float(y) + float(y));
    })";
  for (uint32_t n : {1U, 255U, 1031U}) {
    std::vector<Half> a(n), b(n), out(9 * n), expected(9 * n);
    for (uint32_t i = 0; i < n; ++i) {
      a[i] = std::bit_cast<Half>(pattern(i));
      b[i] = std::bit_cast<Half>(pattern(5 * i + 2));
      // Through float: twice and two more bits of precision make each rounding exact.
      float x = static_cast<float>(a[i]), y = static_cast<float>(b[i]);
      auto h = [](float v) { return static_cast<Half>(v); };
      Half product = h(x * y), sum = 0;
      Half step = h(x * static_cast<float>(h(0.1F)));
      for (int j = 0; j < 5; ++j) sum = h(static_cast<float>(sum) + static_cast<float>(step));
      Half row[] = {h(x + y),
                    h(x - y),
                    product,
                    h(x / y),
                    h(static_cast<float>(product) + y),
                    sum,
                    h(-x),
                    h(std::sqrt(std::fabs(x))),
                    h(x * y + y)};
      std::copy(std::begin(row), std::end(row), &expected[9 * i]);
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {96, 1, 1}},
               {buffer(a), buffer(b), buffer(out)});
    for (size_t j = 0; j < out.size(); ++j) {
      ASSERT_TRUE(same(out[j], expected[j]))
          << "result " << j % 9 << " of " << static_cast<float>(a[j / 9]) << " and "
          << static_cast<float>(b[j / 9]) << ": " << static_cast<float>(out[j]) << ", not "
          << static_cast<float>(expected[j]);
    }
  }
}

TEST(Bfloat, rounds_floats_to_nearest_even) {
  constexpr uint32_t n = 4099;
  std::vector<float> in(n), back(n);
  std::vector<uint16_t> out(n);
  for (uint32_t i = 0; i < n; ++i) {
    // Around the ties: the lower half is one below, at or one above the middle, or anything.
    uint32_t low[] = {0x7FFF, 0x8000, 0x8001, i * 2654435761U >> 16};
    in[i] = std::bit_cast<float>(static_cast<uint32_t>(pattern(i)) << 16 | (low[i % 4] & 0xFFFF));
  }
  run_kernel({.source = R"(
    kernel void k(const device float* in, device bfloat* out, device float* back,
                  uint i [[thread_position_in_grid]]) {
      out[i] = bfloat(in[i]);
      back[i] = float(out[i]);
    })",
              .grid = {n, 1, 1},
              .threadgroup = {256, 1, 1}},
             {buffer(in), buffer(out), buffer(back)});
  for (uint32_t i = 0; i < n; ++i) {
    ASSERT_TRUE(same_bfloat(out[i], bfloat_of(in[i]))) << in[i] << " became " << float_of(out[i]);
    if (!std::isnan(in[i])) {
      ASSERT_EQ(back[i], float_of(bfloat_of(in[i]))) << in[i];
    }
  }
}

TEST(Bfloat, computes_and_compares) {
  const std::string source = R"(
    kernel void k(const device bfloat* a, const device bfloat* b, device bfloat* o, device int* c,
                  uint i [[thread_position_in_grid]]) {
      bfloat x = a[i], y = b[i];
      o += 6 * i;
      o[0] = x + y; o[1] = x - y; o[2] = x * y; o[3] = x / y; o[4] = -x;
      bfloat sum = bfloat(0);
      sum += x; sum *= y;
      o[5] = sum;
      c[i] = (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | (x > y) << 4 |
             (x >= y) << 5 | (isnan(x) ? 64 : 0) | (isinf(y) ? 128 : 0) | (signbit(x) ? 256 : 0);
    })";
  for (uint32_t n : {1U, 257U, 1031U}) {
    std::vector<uint16_t> a(n), b(n), out(6 * n), expected(6 * n);
    std::vector<int32_t> bits(n), expected_bits(n);
    for (uint32_t i = 0; i < n; ++i) {
      a[i] = pattern(i), b[i] = pattern(3 * i + 1);
      float x = float_of(a[i]), y = float_of(b[i]);
      uint16_t row[] = {bfloat_of(x + y), bfloat_of(x - y), bfloat_of(x * y),
                        bfloat_of(x / y), bfloat_of(-x),    bfloat_of((0.0F + x) * y)};
      std::copy(std::begin(row), std::end(row), &expected[6 * i]);
      expected_bits[i] = (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | (x > y) << 4 |
                         (x >= y) << 5 | (std::isnan(x) ? 64 : 0) | (std::isinf(y) ? 128 : 0) |
                         (std::signbit(x) ? 256 : 0);
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {128, 1, 1}},
               {buffer(a), buffer(b), buffer(out), buffer(bits)});
    for (size_t j = 0; j < out.size(); ++j) {
      ASSERT_TRUE(same_bfloat(out[j], expected[j]))
          << "result " << j % 6 << " of " << float_of(a[j / 6]) << " and " << float_of(b[j / 6])
          << ": " << float_of(out[j]) << ", not " << float_of(expected[j]);
    }
    EXPECT_EQ(bits, expected_bits) << n;
  }
}

TEST(Bfloat, casts_to_and_from_half_and_integers) {
  const std::string source = R"(
    template <typename To, typename From>
    To through(From x) { return static_cast<To>(x); }
    kernel void k(const device half* h, const device bfloat* b, device half* from_b,
                  device bfloat* from_h, device bfloat* rest, device int* ints,
                  uint i [[thread_position_in_grid]]) {
      from_b[3 * i] = half3(bfloat3(b[i])).z;
      from_b[3 * i + 1] = static_cast<half>(b[i]);
      from_b[3 * i + 2] = through<half>(b[i]);
      from_h[3 * i] = static_cast<bfloat>(h[i]);
      from_h[3 * i + 1] = through<bfloat>(h[i]);
      from_h[3 * i + 2] = bfloat2(half2(h[i], 1.0h)).x;
      rest[3 * i] = bfloat(int(i) - 300);
      rest[3 * i + 1] = bfloat(ushort(i * 37));
      rest[3 * i + 2] = bfloat4(bfloat(i), 2, 3.5f, 4).x * bfloat(2);
      ints[i] = int(bfloat(float(i) * 1.75f - 100)) + int(half(float(i) * 0.5f));
    })";
  for (uint32_t n : {1U, 255U, 1023U}) {
    std::vector<Half> h(n), from_b(3 * n);
    std::vector<uint16_t> b(n), from_h(3 * n), rest(3 * n), expected_rest;
    std::vector<int32_t> ints(n), expected_ints(n);
    for (uint32_t i = 0; i < n; ++i) {
      h[i] = std::bit_cast<Half>(pattern(i));
      b[i] = pattern(7 * i);
      expected_rest.push_back(bfloat_of(static_cast<float>(static_cast<int>(i) - 300)));
      expected_rest.push_back(bfloat_of(static_cast<float>(static_cast<uint16_t>(i * 37))));
      expected_rest.push_back(bfloat_of(float_of(bfloat_of(static_cast<float>(i))) * 2));
      float f = static_cast<float>(i);
      expected_ints[i] = static_cast<int>(float_of(bfloat_of(f * 1.75F - 100))) +
                         static_cast<int>(static_cast<float>(static_cast<Half>(f * 0.5F)));
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {64, 1, 1}},
               {buffer(h), buffer(b), buffer(from_b), buffer(from_h), buffer(rest), buffer(ints)});
    for (uint32_t j = 0; j < 3 * n; ++j) {
      ASSERT_TRUE(same(from_b[j], static_cast<Half>(float_of(b[j / 3])))) << float_of(b[j / 3]);
      ASSERT_TRUE(same_bfloat(from_h[j], bfloat_of(static_cast<float>(h[j / 3]))))
          << static_cast<float>(h[j / 3]);
    }
    EXPECT_EQ(rest, expected_rest) << n;
    EXPECT_EQ(ints, expected_ints) << n;
  }
}

const char* const kCrossCasts = R"(
  template <typename To, typename From> void convert(From x, device To* o) {
    o[0] = To(x);
    o[1] = (To)x;
    o[2] = static_cast<To>(x);
    o[3] = To(From(To(x)));
    To braces{x > From(0) ? To(x) : (To)(-(-x))};
    o[4] = braces;
    o[5] = vec<To, 4>(vec<From, 4>(x)).w;
    o[6] = vec<To, 4>(vec<From, 2>(x), vec<To, 2>(0)).y;
    o[7] = vec<To, 3>(x, 1.0f, 2).x;
  }
  kernel void k(const device ushort* in, device half* halves, device bfloat* bfloats,
                uint i [[thread_position_in_grid]]) {
    convert<half>(as_type<bfloat>(in[i]), halves + 8 * i);
    convert<bfloat>(as_type<half>(in[i]), bfloats + 8 * i);
  })";

TEST(Bfloat, casts_every_pattern_to_and_from_half_in_every_form) {
  std::vector<uint16_t> in(kPatterns), halves(8 * kPatterns), bfloats(8 * kPatterns);
  for (uint32_t i = 0; i < kPatterns; ++i) in[i] = static_cast<uint16_t>(i);
  run_kernel({.source = kCrossCasts, .grid = {kPatterns, 1, 1}, .threadgroup = {1000, 1, 1}},
             {buffer(in), buffer(halves), buffer(bfloats)});
  for (uint32_t i = 0; i < kPatterns; ++i) {
    auto to_half = [](uint16_t bfloat) { return static_cast<Half>(float_of(bfloat)); };
    auto to_bfloat = [](Half half) { return bfloat_of(static_cast<float>(half)); };
    Half expected_half = to_half(in[i]);
    uint16_t expected_bfloat = to_bfloat(std::bit_cast<Half>(in[i]));
    for (uint32_t form = 0; form < 8; ++form) {
      bool is_there_and_back = form == 3;
      Half half = is_there_and_back ? to_half(to_bfloat(expected_half)) : expected_half;
      uint16_t bfloat = is_there_and_back ? to_bfloat(to_half(expected_bfloat)) : expected_bfloat;
      ASSERT_TRUE(same(std::bit_cast<Half>(halves[8 * i + form]), half)) << i << " " << form;
      ASSERT_TRUE(same_bfloat(bfloats[8 * i + form], bfloat)) << i << " " << form;
    }
  }
}

TEST(Bfloat, mixes_with_other_types_and_literals_as_metal_ranks_them) {
  std::vector<int32_t> out(12);
  run_kernel({.source = R"(
    int kind(half) { return 1; }
    int kind(bfloat) { return 2; }
    int kind(float) { return 3; }
    float i_to_float(int i) { return i; }
    kernel void k(device int* out) {
      bfloat b = 1.5bf;
      half h = 1.5h;
      out[0] = kind(b + b);
      out[1] = kind(b + 1.0f);
      out[2] = kind(h * 1.0f);
      out[3] = kind(b * 2);
      out[4] = kind(1.5);
      out[5] = kind(1.5bf) + kind(1.5h) * 10;
      out[6] = kind(i_to_float(3));
      out[7] = int(sizeof(1.5f)) + 10 * int(sizeof(b)) + 100 * int(sizeof(float2));
      out[8] = as_type<int>(0.1f);
      out[9] = as_type<int>(0.1);
      out[10] = as_type<int>(0x1.8p1f);
      out[11] = as_type<ushort>(0.1bf);
    })",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(out)});
  int tenth = std::bit_cast<int32_t>(0.1F);
  EXPECT_EQ(out, (std::vector<int32_t>{2, 3, 3, 2, 3, 12, 3, 824, tenth, tenth,
                                       std::bit_cast<int32_t>(3.0F), bfloat_of(0.1F)}));
}

const char* const kMixed = R"(
  template <typename T, typename U> auto product(T a, U b) { return a * b; }
  template <typename T, typename U> auto choose(bool c, T a, U b) { return c ? a : b; }
  #define SUM(a, b) ((a) + (b))
  constant auto kSum = 1.5bf + 0.25h;
  struct Both {
    half h;
    bfloat b;
    auto difference() const { return b - h; }
  };
  static_assert(is_same_v<decltype(product(half(1), bfloat(1))), float>, "");
  static_assert(is_same_v<decltype(product(bfloat(1), half(1))), float>, "");
  static_assert(is_same_v<decltype(product(half(1), half(1))), half>, "");
  static_assert(is_same_v<decltype(product(bfloat(1), bfloat(1))), bfloat>, "");
  static_assert(is_same_v<decltype(max(bfloat(1), half(1))), float>, "");
  kernel void k(const device half* halves, const device bfloat* bfloats, device float* o,
                device half* h_out, device bfloat* b_out, uint i [[thread_position_in_grid]]) {
    half h = halves[i];
    bfloat b = bfloats[i];
    o += 12 * i;
    o[0] = h * b; o[1] = halves[i] + bfloats[i]; o[2] = b - h; o[3] = b / h;
    o[4] = float(h < b) + 2 * float(b <= h) + 4 * float(h == b) + 8 * float(h != b);
    o[5] = i & 1 ? h : b;
    o[6] = choose(i & 1, b, h) + product(b, h) + product(h, b);
    o[7] = max(h, b);
    o[8] = b * (h * (b + h));
    o[9] = SUM(h, b) * SUM(b, 2.0h);
    o[10] = Both{h, b}.difference();
    o[11] = [&](half x) { return x * b; }(h) + kSum;
    half hs = h;
    bfloat bs = b;
    hs += b; bs *= h;
    h_out[i] = hs; b_out[i] = bs;
  })";

TEST(Bfloat, beside_half_both_become_float) {
  constexpr uint32_t kCount = 257;
  std::vector<Half> halves(kCount), h_out(kCount);
  std::vector<uint16_t> bfloats(kCount), b_out(kCount);
  std::vector<float> out(12 * kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    halves[i] = static_cast<Half>(static_cast<float>(i) * 0.37F - 40);
    bfloats[i] =
        bfloat_of(i % 5 == 0 ? static_cast<float>(halves[i]) : 33 - static_cast<float>(i) * 0.21F);
  }
  run_kernel({.source = kMixed, .grid = {kCount, 1, 1}, .threadgroup = {64, 1, 1}},
             {buffer(halves), buffer(bfloats), buffer(out), buffer(h_out), buffer(b_out)});
  for (uint32_t i = 0; i < kCount; ++i) {
    const auto h = static_cast<float>(halves[i]);
    const float b = float_of(bfloats[i]);
    const float first = (i & 1) != 0 ? h : b, second = (i & 1) != 0 ? b : h;
    const float compared = static_cast<float>(h < b) + 2 * static_cast<float>(b <= h) +
                           4 * static_cast<float>(h == b) + 8 * static_cast<float>(h != b);
    const float expected[] = {h * b,
                              h + b,
                              b - h,
                              b / h,
                              compared,
                              first,
                              second + b * h + h * b,
                              std::max(h, b),
                              b * (h * (b + h)),
                              (h + b) * (b + 2),
                              b - h,
                              h * b + 1.75F};
    for (uint32_t j = 0; j < 12; ++j) ASSERT_EQ(out[12 * i + j], expected[j]) << i << " " << j;
    ASSERT_TRUE(same(h_out[i], static_cast<Half>(h + b))) << i;
    ASSERT_TRUE(same_bfloat(b_out[i], bfloat_of(b * h))) << i;
  }
}

TEST(Bfloat, functions_round_the_float_result_once) {
  const std::string source = R"(
    kernel void k(const device bfloat* in, device bfloat* o, device bfloat4* v,
                  uint i [[thread_position_in_grid]]) {
      bfloat x = in[i];
      o += 6 * i;
      o[0] = exp(x); o[1] = sqrt(abs(x)); o[2] = floor(x); o[3] = max(x, bfloat(0.5f));
      o[4] = metal::precise::tanh(x); o[5] = clamp(x, bfloat(-1), bfloat(2));
      v[i] = fma(bfloat4(x), bfloat4(2), bfloat4(1, 2, 3, 4)) * bfloat4(0.5f);
    })";
  for (uint32_t n : {1U, 97U, 257U}) {
    std::vector<uint16_t> in(n), out(6 * n), vectors(4 * n);
    for (uint32_t i = 0; i < n; ++i) {
      in[i] = bfloat_of((static_cast<float>(i) - 120) * 0.0625F);
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {50, 1, 1}},
               {buffer(in), buffer(out), buffer(vectors)});
    for (uint32_t i = 0; i < n; ++i) {
      float x = float_of(in[i]);
      float exact[] = {std::exp(x),  std::sqrt(std::fabs(x)),   std::floor(x), std::max(x, 0.5F),
                       std::tanh(x), std::clamp(x, -1.0F, 2.0F)};
      for (int j = 0; j < 6; ++j) {
        int distance = out[6 * i + j] - bfloat_of(exact[j]);
        ASSERT_LE(std::abs(distance), j == 0 || j == 4 ? 1 : 0) << "result " << j << " of " << x;
      }
      for (int j = 0; j < 4; ++j) {
        float fused = float_of(bfloat_of(std::fma(x, 2.0F, static_cast<float>(j + 1))));
        ASSERT_EQ(vectors[4 * i + j], bfloat_of(fused * 0.5F)) << x;
      }
    }
  }
}

}  // namespace
}  // namespace assay::testing
