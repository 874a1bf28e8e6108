// Packing of normalised values, limits of vectors, values in constant memory written in every form,
// and lists in braces.
#include <cmath>
#include <cstdint>
#include <limits>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

uint32_t word(uint32_t i) {
  constexpr uint32_t kEdges[] = {0, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0x80008000, 0x7fff7fff};
  return i < 6 ? kEdges[i] : i * 2654435761U ^ i << 7;
}

// Values beyond both limits, halves between two steps, and NaN.
float fraction(uint32_t i) {
  constexpr float kEdges[] = {0.0f, 1.0f, -1.0f, 1.5f, -2.0f, 0.5f, -0.5f, 0.25f, 1e-9f};
  if (i < 9) return kEdges[i];
  if (i == 9) return std::numeric_limits<float>::quiet_NaN();
  return static_cast<float>(i * 2654435761U % 5003) / 2000.0f - 1.25f;
}

struct Field {
  uint32_t offset;
  uint32_t bits;
};
const std::vector<Field> k4x8 = {{0, 8}, {8, 8}, {16, 8}, {24, 8}};
const std::vector<Field> k2x16 = {{0, 16}, {16, 16}};
const std::vector<Field> k10a2 = {{0, 10}, {10, 10}, {20, 10}, {30, 2}};
const std::vector<Field> k565 = {{0, 5}, {5, 6}, {11, 5}};

double unpacked(uint32_t word, Field field, bool is_signed) {
  const uint32_t mask = (uint64_t{1} << field.bits) - 1;
  const uint32_t raw = word >> field.offset & mask;
  if (!is_signed) return static_cast<double>(raw) / mask;
  const int64_t value = raw > mask / 2 ? int64_t{raw} - mask - 1 : int64_t{raw};
  return std::max(static_cast<double>(value) / (mask / 2), -1.0);
}

uint32_t packed(float x, Field field, bool is_signed) {
  const uint32_t mask = (uint64_t{1} << field.bits) - 1;
  const double low = is_signed ? -1.0 : 0.0;
  const float limited = x > low ? std::min(x, 1.0f) : static_cast<float>(low);  // NaN: the limit
  const float steps = limited * static_cast<float>(is_signed ? mask / 2 : mask);
  return (static_cast<uint32_t>(static_cast<int32_t>(std::nearbyint(steps))) & mask)
         << field.offset;
}

struct Format {
  std::string name;
  std::vector<Field> fields;
  bool is_signed;
};

class Pack : public ::testing::TestWithParam<Format> {};

TEST_P(Pack, splits_words_into_components) {
  const Format& format = GetParam();
  const size_t n = format.fields.size();
  constexpr uint32_t kCount = 259;
  std::vector<uint32_t> in(kCount);
  for (uint32_t i = 0; i < kCount; ++i) in[i] = word(i);
  std::vector<float> floats(kCount * n), halves(kCount * n);
  run_kernel({.source = R"(
    kernel void k(device const uint* in, device float* floats, device float* halves,
                  uint i [[thread_position_in_grid]]) {
      auto f = UNPACK_FLOAT(in[i]);
      auto h = UNPACK_HALF(in[i]);
      static_assert(is_same_v<decltype(UNPACK_FLOAT(0)), vec<float, N>>);
      static_assert(is_same_v<decltype(UNPACK_HALF(0)), vec<half, N>>);
      for (int c = 0; c < N; ++c) {
        floats[i * N + c] = f[c];
        halves[i * N + c] = h[c];
      }
    })",
              .grid = {kCount, 1, 1},
              .threadgroup = {64, 1, 1},
              .defines = {{"UNPACK_FLOAT", "unpack_" + format.name + "_to_float"},
                          {"UNPACK_HALF", "unpack_" + format.name + "_to_half"},
                          {"N", std::to_string(n)}}},
             {buffer(in), buffer(floats), buffer(halves)});
  for (uint32_t i = 0; i < kCount; ++i) {
    for (size_t c = 0; c < n; ++c) {
      const double exact = unpacked(in[i], format.fields[c], format.is_signed);
      EXPECT_NEAR(floats[i * n + c], exact, 1e-7) << std::hex << in[i] << " component " << c;
      EXPECT_NEAR(halves[i * n + c], exact, 5e-4) << std::hex << in[i] << " component " << c;
    }
  }
}

TEST_P(Pack, rounds_components_into_words) {
  const Format& format = GetParam();
  const size_t n = format.fields.size();
  constexpr uint32_t kCount = 1031;
  std::vector<float> in(kCount + 4);
  for (uint32_t i = 0; i < in.size(); ++i) in[i] = fraction(i);
  std::vector<uint32_t> out(kCount);
  run_kernel({.source = R"(
    kernel void k(device const float* in, device uint* out, uint i [[thread_position_in_grid]]) {
      vec<float, N> v;
      for (int c = 0; c < N; ++c) v[c] = in[i + c];
      out[i] = PACK(v);
    })",
              .grid = {kCount, 1, 1},
              .threadgroup = {64, 1, 1},
              .defines = {{"PACK", "pack_float_to_" + format.name}, {"N", std::to_string(n)}}},
             {buffer(in), buffer(out)});
  for (uint32_t i = 0; i < kCount; ++i) {
    uint32_t expected = 0;
    for (size_t c = 0; c < n; ++c) {
      expected |= packed(in[i + c], format.fields[c], format.is_signed);
    }
    EXPECT_EQ(out[i], expected) << "values from " << in[i] << " on";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Formats, Pack,
    ::testing::Values(Format{"unorm4x8", k4x8, false}, Format{"snorm4x8", k4x8, true},
                      Format{"unorm2x16", k2x16, false}, Format{"snorm2x16", k2x16, true},
                      Format{"unorm10a2", k10a2, false}, Format{"unorm565", k565, false}),
    [](const auto& info) { return info.param.name; });

TEST(Pack, srgb_bytes_survive_the_way_to_linear_values_and_back) {
  std::vector<uint32_t> out(256);
  std::vector<float> linear(256);
  run_kernel({.source = R"(
    kernel void k(device uint* out, device float* linear, uint i [[thread_position_in_grid]]) {
      uint packed = i | (255 - i) << 8 | i << 16 | i << 24;
      float4 v = unpack_unorm4x8_srgb_to_float(packed);
      linear[i] = v.x;
      out[i] = pack_float_to_srgb_unorm4x8(v) == packed && v.w == float(i) / 255.0f;
    })",
              .grid = {256, 1, 1},
              .threadgroup = {64, 1, 1}},
             {buffer(out), buffer(linear)});
  EXPECT_EQ(out, std::vector<uint32_t>(256, 1));
  for (uint32_t i = 0; i < 256; ++i) {
    const double c = i / 255.0;
    const double exact = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    EXPECT_NEAR(linear[i], exact, 2e-7) << i;
  }
}

TEST(Limits, of_a_vector_are_those_of_its_elements) {
  std::vector<float> out(6);
  run_kernel({.source = R"(
    kernel void k(device float* out) {
      out[0] = numeric_limits<float4>::max().w;
      out[1] = numeric_limits<int3>::min().z;
      out[2] = numeric_limits<half2>::infinity().y;
      out[3] = numeric_limits<uchar4>::max().x;
      out[4] = numeric_limits<float2>::digits;
      out[5] = is_same_v<decltype(numeric_limits<short3>::lowest()), short3>;
    })",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(out)});
  EXPECT_EQ(out, (std::vector<float>{std::numeric_limits<float>::max(), -2147483648.0f,
                                     std::numeric_limits<float>::infinity(), 255, 24, 1}));
}

TEST(Constants, vectors_and_matrices_are_written_in_every_form) {
  std::vector<float> out(12);
  run_kernel({.source = R"(
    constant float4 nothing = {};
    constant float3x3 empty = {};
    constant packed_half3 packed_nothing = {};
    constant float3x3 by_elements = float3x3(1, 2, 3, 4, 5, 6, 7, 8, 9);
    constant float4x4 diagonal = float4x4(2.5f);
    constant float2x3 by_columns = float2x3(float3(1, 2, 3), float3(4, 5, 6));
    constant float2x2 in_braces = {{1, 2}, {3, 4}};
    constexpr constant float2x2 flat{5, 6, 7, 8};
    constant float2x2 table[3] = {float2x2(1.0f), {{1, 2}, {3, 4}}, {}};
    struct Pair { packed_float3 a; uint b; };
    constant Pair pairs[] = {{packed_float3(1, 2, 3), 4}, {}};
    kernel void k(device float* out) {
      out[0] = nothing.x + nothing.w + empty[2][2] + packed_nothing.z;
      out[1] = (by_elements * float3(1, 10, 100)).y;
      out[2] = diagonal[3][3] + diagonal[1][3];
      out[3] = by_columns[1].y;
      out[4] = in_braces[1][0];
      out[5] = flat[0][1] * flat[1][1];
      out[6] = table[0][1][1] + table[1][1][1] + table[2][0][0];
      out[7] = pairs[0].a.y + pairs[0].b + pairs[1].a.x + pairs[1].b;
      float2x2 own = {{1, 2}, {3, 4}};
      out[8] = own[1][0];
      half3x3 rows = half3x3({1, 2, 3}, {4, 5, 6}, {7, 8, 9});
      out[9] = rows[2].y;
      out[10] = determinant(float2x2{3, 1, 2, 4});
      out[11] = float4x4({1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 3, 0}, {5, 6, 7, 8})[3].z;
    })",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(out)});
  EXPECT_EQ(out, (std::vector<float>{0, 852, 2.5f, 5, 3, 48, 5, 6, 3, 8, 10, 7}));
}

TEST(Constants, a_list_in_braces_arrives_as_an_initializer_list) {
  constexpr uint32_t kCount = 37;
  std::vector<float> out(kCount);
  run_kernel({.source = R"(
    struct Polynomial {
      float c[4];
      Polynomial(initializer_list<float> list) {
        size_t n = 0;
        for (float x : list) c[n++] = x;
        for (; n < 4; ++n) c[n] = 0;
      }
      thread Polynomial& operator=(initializer_list<float2> list) {
        for (size_t i = 0; i < list.size(); ++i) c[i] = list.begin()[i].x * list.begin()[i].y;
        return *this;
      }
      float at(float x) const { return c[0] + x * (c[1] + x * (c[2] + x * c[3])); }
    };
    kernel void k(device float* out, uint i [[thread_position_in_grid]]) {
      Polynomial p = {1, 2, float(i)};
      float first = p.at(3);
      p = {float2(2, 5), float2(i, 7)};
      out[i] = first * 1000 + p.at(1);
    })",
              .grid = {kCount, 1, 1},
              .threadgroup = {8, 1, 1}},
             {buffer(out)});
  for (uint32_t i = 0; i < kCount; ++i) {
    const float first = 1 + 3 * 2 + 9 * static_cast<float>(i);
    EXPECT_EQ(out[i], first * 1000 + 10 + static_cast<float>(i) * 7 + static_cast<float>(i)) << i;
  }
}

}  // namespace
}  // namespace assay::testing
