// Conversions between scalar types, as_type in all directions, numeric_limits.
#include <bit>
#include <cfloat>
#include <climits>
#include <cmath>
#include <limits>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

TEST(Conversion, truncates_floats_towards_zero) {
  const std::string source = R"(
    kernel void k(const device float* in, device int* i32, device uint* u32, device short* i16,
                  device uchar* u8, device long* i64, device ulong* u64, device bool* flags,
                  uint i [[thread_position_in_grid]]) {
      float x = in[i];
      i32[i] = int(x);
      u32[i] = uint(abs(x));
      i16[i] = short(x / 1024);
      u8[i] = static_cast<uchar>(min(abs(x), 255.0f));
      i64[i] = long(x * 4096.0f);
      u64[i] = (ulong)(abs(x) * 65536.0f);
      flags[i] = bool(x);
    })";
  for (uint32_t n : kOddSizes) {
    std::vector<float> in(n);
    std::vector<int32_t> i32(n), i32_expected(n);
    std::vector<uint32_t> u32(n), u32_expected(n);
    std::vector<int16_t> i16(n), i16_expected(n);
    std::vector<uint8_t> u8(n), u8_expected(n), flags(n), flags_expected(n);
    std::vector<int64_t> i64(n), i64_expected(n);
    std::vector<uint64_t> u64(n), u64_expected(n);
    for (uint32_t i = 0; i < n; ++i) {
      float magnitude =
          std::exp2(static_cast<float>(i % 25)) * (1 + static_cast<float>(i % 13) / 13);
      float x = in[i] = i % 17 == 0 ? 0 : i % 2 == 0 ? magnitude - 0.5F : 0.25F - magnitude;
      i32_expected[i] = static_cast<int32_t>(x);
      u32_expected[i] = static_cast<uint32_t>(std::fabs(x));
      i16_expected[i] = static_cast<int16_t>(x / 1024);
      u8_expected[i] = static_cast<uint8_t>(std::min(std::fabs(x), 255.0F));
      i64_expected[i] = static_cast<int64_t>(x * 4096);
      u64_expected[i] = static_cast<uint64_t>(std::fabs(x) * 65536);
      flags_expected[i] = x != 0;
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {64, 1, 1}},
               {buffer(in), buffer(i32), buffer(u32), buffer(i16), buffer(u8), buffer(i64),
                buffer(u64), buffer(flags)});
    EXPECT_EQ(i32, i32_expected) << n;
    EXPECT_EQ(u32, u32_expected) << n;
    EXPECT_EQ(i16, i16_expected) << n;
    EXPECT_EQ(u8, u8_expected) << n;
    EXPECT_EQ(i64, i64_expected) << n;
    EXPECT_EQ(u64, u64_expected) << n;
    EXPECT_EQ(flags, flags_expected) << n;
  }
}

TEST(Conversion, rounds_integers_to_the_nearest_float) {
  const std::string source = R"(
    kernel void k(const device ulong* in, device float* f, device half* h,
                  uint i [[thread_position_in_grid]]) {
      ulong x = in[i];
      f[5 * i] = float(x);
      f[5 * i + 1] = float(long(x));
      f[5 * i + 2] = uint(x);
      f[5 * i + 3] = static_cast<int>(x);
      f[5 * i + 4] = short(x) + float(uchar(x)) / 2;
      h[2 * i] = half(short(x));
      h[2 * i + 1] = half(uint(x) >> 16);
    })";
  for (uint32_t n : kOddSizes) {
    std::vector<uint64_t> in(n);
    std::vector<float> f(5 * n), f_expected;
    std::vector<_Float16> h(2 * n), h_expected;
    for (uint32_t i = 0; i < n; ++i) {
      // Runs of ones and ties just beyond the mantissa.
      uint64_t x = (i * 0x9E3779B97F4A7C15ULL) >> (i % 64);
      if (i % 5 == 0) x = 0x1000001ULL << (i % 40);
      if (i % 7 == 3) x = ~uint64_t{0} << (i % 64);
      in[i] = x;
      f_expected.push_back(static_cast<float>(x));
      f_expected.push_back(static_cast<float>(static_cast<int64_t>(x)));
      f_expected.push_back(static_cast<float>(static_cast<uint32_t>(x)));
      f_expected.push_back(static_cast<float>(static_cast<int32_t>(x)));
      f_expected.push_back(static_cast<float>(static_cast<int16_t>(x)) +
                           static_cast<float>(static_cast<uint8_t>(x)) / 2);
      h_expected.push_back(static_cast<_Float16>(static_cast<int16_t>(x)));
      h_expected.push_back(
          static_cast<_Float16>(static_cast<float>(static_cast<uint32_t>(x) >> 16)));
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {48, 1, 1}},
               {buffer(in), buffer(f), buffer(h)});
    EXPECT_EQ(f, f_expected) << n;
    EXPECT_EQ(h, h_expected) << n;
  }
}

TEST(Conversion, as_type_keeps_bits_in_all_directions) {
  const std::string source = R"(
    kernel void k(const device uint* in, device uint* o, device ulong* l,
                  uint i [[thread_position_in_grid]]) {
      uint x = in[i];
      o += 12 * i;
      float f = as_type<float>(x & 0xff7fffffu);  // never a NaN, whose payload may change
      o[0] = as_type<uint>(f);
      o[1] = uint(as_type<int>(x) >> 31);
      half2 h = as_type<half2>(x & 0xfbfffbffu);
      o[2] = as_type<ushort>(h.y);
      o[3] = as_type<uint>(h.yx);
      uchar4 b = as_type<uchar4>(x);
      o[4] = b.x | b.w << 8;
      o[5] = as_type<uint>(b.wzyx);
      o[6] = as_type<uint>(as_type<bfloat2>(as_type<ushort2>(f).yx));
      o[7] = as_type<uint>(as_type<char4>(as_type<short2>(x)));
      uint2 pair = as_type<uint2>(ulong(x) << 4 | 5);
      o[8] = pair.x; o[9] = pair.y;
      uint4 quad = as_type<uint4>(float4(f, 1, 2, 4));
      o[10] = quad.x + quad.z;
      o[11] = as_type<ushort>(bfloat(1.5f)) | uint(as_type<ushort>(half(1.5h))) << 16;
      l[2 * i] = as_type<ulong>(uint2(x, ~x));
      l[2 * i + 1] = as_type<ulong>(ushort4(1, x, 3, x >> 16)) ^ as_type<ulong>(float2(f, 0.0f));
    })";
  for (uint32_t n : kOddSizes) {
    std::vector<uint32_t> in(n), out(12 * n), expected;
    std::vector<uint64_t> longs(2 * n), expected_longs;
    for (uint32_t i = 0; i < n; ++i) {
      uint32_t x = in[i] = (i + 1) * 2654435761U;
      uint32_t f = x & 0xFF7FFFFF, h = x & 0xFBFFFBFF;
      uint64_t shifted = static_cast<uint64_t>(x) << 4 | 5;
      for (uint32_t word :
           {f, x >> 31 ? 0xFFFFFFFF : 0, h >> 16, std::rotl(h, 16), (x & 0xFF) | (x >> 24) << 8,
            __builtin_bswap32(x), std::rotl(f, 16), x, static_cast<uint32_t>(shifted),
            static_cast<uint32_t>(shifted >> 32), f + 0x40000000U, 0x3E003FC0U}) {
        expected.push_back(word);
      }
      expected_longs.push_back(static_cast<uint64_t>(~x) << 32 | x);
      uint64_t packed = 1 | static_cast<uint64_t>(x & 0xFFFF) << 16 | 3ULL << 32 |
                        static_cast<uint64_t>(x >> 16) << 48;
      expected_longs.push_back(packed ^ f);
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {64, 1, 1}},
               {buffer(in), buffer(out), buffer(longs)});
    EXPECT_EQ(out, expected) << n;
    EXPECT_EQ(longs, expected_longs) << n;
  }
}

TEST(Conversion, numeric_limits_are_those_of_the_types) {
  std::vector<int64_t> ints(16);
  std::vector<float> floats(20);
  run_kernel({.source = R"(
    template <typename T>
    void limits(device long*& o) {
      *o++ = long(numeric_limits<T>::min());
      *o++ = long(numeric_limits<T>::max());
    }
    template <typename T>
    void float_limits(device float*& o) {
      typedef metal::numeric_limits<T> L;
      *o++ = float(L::max()); *o++ = float(L::lowest()); *o++ = float(L::min());
      *o++ = float(L::epsilon()); *o++ = float(L::infinity());
      *o++ = isnan(L::quiet_NaN()) && L::has_infinity && L::is_signed ? L::digits : -1;
    }
    kernel void k(device long* ints, device float* floats) {
      limits<char>(ints); limits<uchar>(ints); limits<short>(ints); limits<ushort>(ints);
      limits<int>(ints); limits<uint>(ints); limits<long>(ints); limits<ulong>(ints);
      float_limits<float>(floats); float_limits<half>(floats); float_limits<bfloat>(floats);
      *floats++ = INFINITY; *floats++ = isnan(NAN) ? M_PI_F : 0;
    })",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(ints), buffer(floats)});
  EXPECT_EQ(ints, (std::vector<int64_t>{SCHAR_MIN, SCHAR_MAX, 0, UCHAR_MAX, SHRT_MIN, SHRT_MAX, 0,
                                        USHRT_MAX, INT_MIN, INT_MAX, 0, UINT_MAX, INT64_MIN,
                                        INT64_MAX, 0, -1}));
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(floats,
            (std::vector<float>{FLT_MAX,  -FLT_MAX, FLT_MIN,     FLT_EPSILON,  infinity,
                                24,       65504,    -65504,      0x1p-14F,     0x1p-10F,
                                infinity, 11,       0x1.FEp127F, -0x1.FEp127F, 0x1p-126F,
                                0x1p-7F,  infinity, 8,           infinity,     3.14159265358979F}));
}

TEST(Conversion, stores_through_pointers_cast_to_other_types) {
  const std::string source = R"(
    kernel void k(device uchar* bytes, const device float* in, uint i [[thread_position_in_grid]]) {
      device half4* row = (device half4*)(bytes + 16 * i);
      const device float4* v = reinterpret_cast<const device float4*>(in + 4 * i);
      *row = half4(*v);
      ((device uint*)row)[2] = as_type<uint>((*v).x);
      *reinterpret_cast<device ushort*>(bytes + 16 * i + 12) = ushort(i);
      bytes[16 * i + 14] = *(const device uchar*)(in + 4 * i);
    })";
  for (uint32_t n : {1U, 31U, 97U, 257U}) {
    std::vector<float> in(4 * n);
    std::vector<uint8_t> bytes(16 * n), expected(16 * n);
    for (uint32_t i = 0; i < 4 * n; ++i) in[i] = static_cast<float>(i) * 0.25F + 0x1p-12F;
    for (uint32_t i = 0; i < n; ++i) {
      uint8_t* row = &expected[16 * i];
      for (int j = 0; j < 4; ++j) {
        auto h = static_cast<_Float16>(in[4 * i + j]);
        std::memcpy(row + 2 * j, &h, 2);
      }
      std::memcpy(row + 8, &in[4 * i], 4);
      auto index = static_cast<uint16_t>(i);
      std::memcpy(row + 12, &index, 2);
      std::memcpy(row + 14, &in[4 * i], 1);
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {40, 1, 1}},
               {buffer(bytes), buffer(in)});
    EXPECT_EQ(bytes, expected) << n;
  }
}

}  // namespace
}  // namespace assay::testing
