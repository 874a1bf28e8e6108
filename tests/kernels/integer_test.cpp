// Integer functions over every integer type at edge values, 64-bit arithmetic and shifts.
#include <bit>
#include <limits>
#include <type_traits>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

__extension__ typedef __int128 Wide;  // holds every product of two 64-bit integers

template <typename T>
constexpr int kBits = 8 * sizeof(T);
template <typename T>
using Unsigned = std::make_unsigned_t<T>;

// Edge values first, then a spread of bit patterns of all magnitudes.
template <typename T>
T sample(uint32_t i) {
  using Limits = std::numeric_limits<T>;
  const T edges[] = {0,
                     1,
                     static_cast<T>(-1),
                     Limits::min(),
                     Limits::max(),
                     static_cast<T>(Limits::max() - 1),
                     static_cast<T>(Limits::min() + 1),
                     2,
                     static_cast<T>(-2),
                     static_cast<T>(1 + Limits::max() / 2)};
  if (i < 100) return edges[i % 10];
  uint64_t bits = (i * 0x9E3779B97F4A7C15ULL) ^ (i * 0xD1B54A32D192ED03ULL >> 29);
  return static_cast<T>(static_cast<T>(bits) >> (i % kBits<T>));
}

template <typename T>
struct Inputs {
  explicit Inputs(uint32_t n) : a(n), b(n), c(n) {
    for (uint32_t i = 0; i < n; ++i) {
      a[i] = sample<T>(i);
      b[i] = i < 100 ? sample<T>(i / 10) : sample<T>(3 * i + 1);
      c[i] = sample<T>(7 * i + 3);
    }
  }
  std::vector<T> a, b, c;
};

template <typename T>
T saturated(Wide exact) {
  Wide low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return static_cast<T>(std::clamp(exact, low, high));
}

template <typename T>
T reversed(T x) {
  Unsigned<T> result = 0;
  for (int j = 0; j < kBits<T>; ++j) {
    if ((static_cast<Unsigned<T>>(x) >> j) & 1) {
      result = static_cast<Unsigned<T>>(result | (Unsigned<T>{1} << (kBits<T> - 1 - j)));
    }
  }
  return static_cast<T>(result);
}

template <typename T>
T sign_extended(Unsigned<T> field, uint32_t bits) {
  if (std::is_signed_v<T> && bits < kBits<T> && bits > 0 && ((field >> (bits - 1)) & 1)) {
    field = static_cast<Unsigned<T>>(field | ~((Unsigned<T>{1} << bits) - 1));
  }
  return static_cast<T>(field);
}

template <typename T>
Unsigned<T> mask_of(uint32_t bits) {
  if (bits >= kBits<T>) return std::numeric_limits<Unsigned<T>>::max();
  return static_cast<Unsigned<T>>((Unsigned<T>{1} << bits) - 1);
}

// The high half of a product; for 64 unsigned bits by 32-bit digits, beyond what Wide holds.
template <typename T>
T high_product(T x, T y) {
  if constexpr (std::is_same_v<T, uint64_t>) {
    Wide low = static_cast<Wide>(x & 0xFFFFFFFF) * static_cast<Wide>(y);
    Wide high = static_cast<Wide>(x >> 32) * static_cast<Wide>(y);
    return static_cast<T>((high + (low >> 32)) >> 32);
  } else {
    return static_cast<T>((static_cast<Wide>(x) * static_cast<Wide>(y)) >> kBits<T>);
  }
}

constexpr size_t kUnary = 5, kBinary = 13, kTernary = 8;

template <typename T>
void unary_reference(T x, T* o) {
  auto u = static_cast<Unsigned<T>>(x);
  *o++ = static_cast<T>(std::countl_zero(u));
  *o++ = static_cast<T>(std::countr_zero(u));
  *o++ = static_cast<T>(std::popcount(u));
  *o++ = reversed(x);
  *o++ = x < 0 ? static_cast<T>(-static_cast<Wide>(x)) : x;
}

template <typename T>
void binary_reference(T x, T y, T* o) {
  Wide a = x, b = y;
  *o++ = std::min(x, y);
  *o++ = std::max(x, y);
  *o++ = saturated<T>(a + b);
  *o++ = saturated<T>(a - b);
  *o++ = static_cast<T>((a + b) >> 1);
  *o++ = static_cast<T>((a + b + 1) >> 1);
  *o++ = static_cast<T>(a > b ? a - b : b - a);
  *o++ = high_product(x, y);
  *o++ =
      static_cast<T>(std::rotl(static_cast<Unsigned<T>>(x), static_cast<int>(y & (kBits<T> - 1))));
  auto shift = static_cast<int>(y & (kBits<T> - 1));
  *o++ = static_cast<T>(static_cast<Unsigned<T>>(x) << shift);
  *o++ = static_cast<T>(x >> shift);
  // The most negative value over -1 has no quotient.
  bool divides = y != 0 && !(y == static_cast<T>(-1) && std::is_signed_v<T>);
  *o++ = divides ? static_cast<T>(x / y) : T{7};
  *o++ = divides ? static_cast<T>(x % y) : T{7};
}

template <typename T>
void ternary_reference(T x, T y, T z, uint32_t offset, uint32_t bits, T* o) {
  T low = std::min(x, y), high = std::max(x, y);
  *o++ = std::min(low, z);
  *o++ = std::max(high, z);
  *o++ = std::max(low, std::min(high, z));
  *o++ = std::clamp(z, low, high);
  *o++ = static_cast<T>(static_cast<Unsigned<T>>(high_product(x, y)) + static_cast<Unsigned<T>>(z));
  Wide a = x, b = y, c = z;
  bool overflows = std::is_same_v<T, uint64_t> && high_product(x, y) != 0;
  *o++ = overflows ? std::numeric_limits<T>::max() : saturated<T>(a * b + c);
  Unsigned<T> mask = mask_of<T>(bits);
  auto field = static_cast<Unsigned<T>>((static_cast<Unsigned<T>>(x) >> offset) & mask);
  *o++ = sign_extended<T>(field, bits);
  auto placed = static_cast<Unsigned<T>>(mask << offset);
  auto moved = static_cast<Unsigned<T>>(static_cast<Unsigned<T>>(y) << offset);
  *o++ = static_cast<T>((static_cast<Unsigned<T>>(x) & static_cast<Unsigned<T>>(~placed)) |
                        (moved & placed));
}

const char* const kIntegerSource = R"(
  kernel void k(const device T* a, const device T* b, const device T* c, device T* one,
                device T* two, device T* three, uint i [[thread_position_in_grid]]) {
    T x = a[i], y = b[i], z = c[i];
    device T* o = one + 5 * i;
    *o++ = clz(x); *o++ = ctz(x); *o++ = popcount(x); *o++ = reverse_bits(x); *o++ = abs(x);
    o = two + 13 * i;
    const int width = 8 * sizeof(T);
    int shift = int(y & T(width - 1));
    *o++ = min(x, y); *o++ = max(x, y); *o++ = addsat(x, y); *o++ = subsat(x, y);
    *o++ = hadd(x, y); *o++ = rhadd(x, y); *o++ = T(absdiff(x, y)); *o++ = mulhi(x, y);
    *o++ = rotate(x, y); *o++ = T(x << shift); *o++ = T(x >> shift);
    bool divides = y != 0 && !(y == T(-1) && T(-1) < T(0));
    T divisor = divides ? y : T(1);
    *o++ = divides ? T(x / divisor) : T(7);
    *o++ = divides ? T(x % divisor) : T(7);
    o = three + 8 * i;
    uint offset = i % width, bits = (i / 3) % (width - offset + 1);
    *o++ = min3(x, y, z); *o++ = max3(x, y, z); *o++ = median3(x, y, z);
    *o++ = clamp(z, min(x, y), max(x, y)); *o++ = madhi(x, y, z); *o++ = madsat(x, y, z);
    *o++ = extract_bits(x, offset, bits); *o++ = insert_bits(x, y, offset, bits);
  })";

template <typename T>
void check_integer_functions(const std::string& type) {
  for (uint32_t n : {1U, 33U, 1031U}) {
    Inputs<T> in(n);
    std::vector<T> one(kUnary * n), two(kBinary * n), three(kTernary * n);
    std::vector<T> one_expected(one), two_expected(two), three_expected(three);
    for (uint32_t i = 0; i < n; ++i) {
      uint32_t offset = i % kBits<T>, bits = (i / 3) % (kBits<T> - offset + 1);
      unary_reference(in.a[i], &one_expected[kUnary * i]);
      binary_reference(in.a[i], in.b[i], &two_expected[kBinary * i]);
      ternary_reference(in.a[i], in.b[i], in.c[i], offset, bits, &three_expected[kTernary * i]);
    }
    run_kernel({.source = kIntegerSource,
                .grid = {n, 1, 1},
                .threadgroup = {72, 1, 1},
                .defines = {{"T", type}}},
               {buffer(in.a), buffer(in.b), buffer(in.c), buffer(one), buffer(two), buffer(three)});
    auto compare = [&](const std::vector<T>& got, const std::vector<T>& want, size_t row) {
      for (size_t j = 0; j < got.size(); ++j) {
        uint32_t i = static_cast<uint32_t>(j / row);
        ASSERT_EQ(got[j], want[j])
            << type << " result " << j % row << " of " << row << " for " << +in.a[i] << ", "
            << +in.b[i] << ", " << +in.c[i] << " at " << i;
      }
    };
    compare(one, one_expected, kUnary);
    compare(two, two_expected, kBinary);
    compare(three, three_expected, kTernary);
  }
}

TEST(Integer, functions_are_exact_for_8_and_16_bits) {
  check_integer_functions<int8_t>("char");
  check_integer_functions<uint8_t>("uchar");
  check_integer_functions<int16_t>("short");
  check_integer_functions<uint16_t>("ushort");
}

TEST(Integer, functions_are_exact_for_32_bits) {
  check_integer_functions<int32_t>("int");
  check_integer_functions<uint32_t>("uint");
}

TEST(Integer, functions_are_exact_for_64_bits) {
  check_integer_functions<int64_t>("long");
  check_integer_functions<uint64_t>("ulong");
}

TEST(Integer, functions_work_on_vectors_and_24_bit_factors) {
  const std::string source = R"(
    kernel void k(const device uint4* a, device uint* o, device int* s,
                  uint i [[thread_position_in_grid]]) {
      uint4 v = a[i];
      uint3 r = popcount(v.xyz) + clz(v.yzw) + ctz(v.zwx);
      uint2 m = mulhi(v.xy, v.zw) ^ rotate(v.xy, uint2(3, 29)) ^ insert_bits(v.xy, v.zw, 5, 9);
      uint4 q = clamp(v, 100u, 1u << 30) + absdiff(v, v.wzyx) + extract_bits(v, 4, 11);
      o[6 * i] = r.x; o[6 * i + 1] = r.z; o[6 * i + 2] = m.x; o[6 * i + 3] = m.y;
      o[6 * i + 4] = q.x; o[6 * i + 5] = q.w;
      int x = int(v.x), y = int(v.y);
      s[2 * i] = mul24(extract_bits(x, 0, 24), extract_bits(y, 3, 24));
      s[2 * i + 1] = int(mad24(v.z & 0xffffffu, v.w & 0xffffffu, v.x));
    })";
  for (uint32_t n : {1U, 97U, 257U}) {
    std::vector<uint32_t> in(4 * n), out(6 * n), expected;
    std::vector<int32_t> factors(2 * n), expected_factors;
    for (uint32_t i = 0; i < 4 * n; ++i) in[i] = sample<uint32_t>(i + 50);
    for (uint32_t i = 0; i < n; ++i) {
      uint32_t v[4];
      std::copy_n(&in[4 * i], 4, v);
      auto count = [](int bits) { return static_cast<uint32_t>(bits); };
      expected.push_back(
          count(std::popcount(v[0]) + std::countl_zero(v[1]) + std::countr_zero(v[2])));
      expected.push_back(
          count(std::popcount(v[2]) + std::countl_zero(v[3]) + std::countr_zero(v[0])));
      for (int j = 0; j < 2; ++j) {
        uint32_t inserted = (v[j] & ~(511U << 5)) | ((v[j + 2] & 511U) << 5);
        expected.push_back(high_product(v[j], v[j + 2]) ^ std::rotl(v[j], j == 0 ? 3 : 29) ^
                           inserted);
      }
      for (int j : {0, 3}) {
        uint32_t far = std::max(v[j], v[3 - j]) - std::min(v[j], v[3 - j]);
        expected.push_back(std::clamp(v[j], 100U, 1U << 30) + far + ((v[j] >> 4) & 2047U));
      }
      auto signed24 = [](uint32_t bits) {
        return static_cast<int64_t>(bits & 0x7FFFFF) - static_cast<int64_t>(bits & 0x800000);
      };
      expected_factors.push_back(static_cast<int32_t>(signed24(v[0]) * signed24(v[1] >> 3)));
      expected_factors.push_back(
          static_cast<int32_t>((v[2] & 0xFFFFFFU) * (v[3] & 0xFFFFFFU) + v[0]));
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {80, 1, 1}},
               {buffer(in), buffer(out), buffer(factors)});
    EXPECT_EQ(out, expected) << n;
    EXPECT_EQ(factors, expected_factors) << n;
  }
}

// `divisor` is the MSL expression of one: per thread, or the same for all.
template <typename T>
void check_division(const std::string& type, const std::string& divisor) {
  const uint32_t n = 1031;
  Inputs<T> inputs(n);
  std::vector<T> quotients(n);
  std::vector<T> remainders(n);
  std::string source = "using T = " + type + R"(;
    kernel void k(device const T* a, device const T* b, device T* q, device T* r,
                  uint i [[thread_position_in_grid]]) {
      T d = )" + divisor +
                       R"(;
      q[i] = a[i] / d;
      r[i] = a[i] % d;
    })";
  run_kernel({.source = source, .grid = {n}, .threadgroup = {96}},
             {buffer(inputs.a), buffer(inputs.b), buffer(quotients), buffer(remainders)});
  for (uint32_t i = 0; i < n; ++i) {
    const T d = inputs.b[divisor == "b[i]" ? i : divisor == "b[43]" ? 43 : 3];
    const Wide exact = d == 0 ? 0 : static_cast<Wide>(inputs.a[i]) / static_cast<Wide>(d);
    // Metal gives no value for these, but must get past them.
    const bool has_value = d != 0 && static_cast<Wide>(static_cast<T>(exact)) == exact;
    if (!has_value) continue;
    ASSERT_EQ(quotients[i], static_cast<T>(exact)) << type << " " << i;
    ASSERT_EQ(remainders[i], static_cast<T>(inputs.a[i] - exact * d)) << type << " " << i;
  }
}

TEST(Integer, divides_exactly_and_gets_past_division_by_zero) {
  for (const char* divisor : {"b[i]", "b[43]", "b[3]"}) {  // b[3] is 0
    check_division<int8_t>("char", divisor);
    check_division<uint8_t>("uchar", divisor);
    check_division<int16_t>("short", divisor);
    check_division<uint16_t>("ushort", divisor);
    check_division<int32_t>("int", divisor);
    check_division<uint32_t>("uint", divisor);
    check_division<int64_t>("long", divisor);
    check_division<uint64_t>("ulong", divisor);
  }
}

TEST(Integer, promotes_and_carries_like_cpp) {
  const std::string source = R"(
    kernel void k(const device ulong* a, device ulong* out, uint i [[thread_position_in_grid]]) {
      ulong x = a[i];
      uchar u = uchar(x);
      char c = char(x >> 8);
      ushort s = ushort(x >> 3);
      int n = int(x);
      ulong mixed = ulong(long(c * u)) + (u << 3) + ulong(uint(s) * s);
      mixed ^= ulong(long(n) * n) - (ulong(n < 0 ? -1l : 1l) << 40);
      u += 200; c -= 100; s *= 3; n ^= u;
      uint low = uint(x) + 0x90000000u;
      ulong carry = low < 0x90000000u ? 1ul : 0ul;
      out[i] = mixed * 6364136223846793005ul + u + ulong(long(c)) * 7 + s + ulong(long(n) >> 5) +
               (carry << 63) + (x >> (u & 63)) + popcount(x & ~(x - 1));
    })";
  for (uint32_t n : kOddSizes) {
    std::vector<uint64_t> in(n), out(n), expected(n);
    for (uint32_t i = 0; i < n; ++i) {
      uint64_t x = in[i] = sample<uint64_t>(i + 91);
      auto u = static_cast<uint8_t>(x);
      auto c = static_cast<int8_t>(x >> 8);
      auto s = static_cast<uint16_t>(x >> 3);
      auto m = static_cast<int32_t>(x);
      uint64_t mixed = static_cast<uint64_t>(static_cast<int64_t>(c * u)) +
                       static_cast<uint64_t>(u << 3) + uint64_t{static_cast<uint32_t>(s) * s};
      mixed ^= static_cast<uint64_t>(int64_t{m} * m) -
               (static_cast<uint64_t>(m < 0 ? int64_t{-1} : int64_t{1}) << 40);
      u = static_cast<uint8_t>(u + 200);
      c = static_cast<int8_t>(c - 100);
      s = static_cast<uint16_t>(s * 3);
      m ^= u;
      uint64_t carry = static_cast<uint32_t>(x) >= 0x70000000U ? 1 : 0;
      expected[i] = mixed * 6364136223846793005ULL + u + static_cast<uint64_t>(int64_t{c}) * 7 + s +
                    static_cast<uint64_t>(int64_t{m} >> 5) + (carry << 63) + (x >> (u & 63)) +
                    (x == 0 ? 0 : 1);
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {64, 1, 1}},
               {buffer(in), buffer(out)});
    EXPECT_EQ(out, expected) << n;
  }
}

// Metal has nothing wider than 64 bits, whatever the suffix says.
TEST(Integer, long_long_literals_have_64_bits) {
  const std::string source = R"(
    constant ulong kStep = 0x9E3779B97F4A7C15ULL;
    kernel void k(device const ulong* in [[buffer(0)]], device ulong* out [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
      ulong z = in[i] + 1ull * kStep;
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBLLU;
      long long wide = -3LL;
      out[i] = max(z ^ (z >> 31), 5ull) + sizeof(1LL) + sizeof(wide) + ulong(float(wide * 2ll) + 7);
    })";
  for (uint32_t n : kOddSizes) {
    std::vector<uint64_t> in(n), out(n), expected(n);
    for (uint32_t i = 0; i < n; ++i) {
      in[i] = sample<uint64_t>(i + 91);
      uint64_t z = in[i] + 0x9E3779B97F4A7C15U;
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
      expected[i] = std::max<uint64_t>(z ^ (z >> 31), 5) + 17;
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {64, 1, 1}},
               {buffer(in), buffer(out)});
    EXPECT_EQ(out, expected) << n;
  }
}

}  // namespace
}  // namespace assay::testing
