// Packed vectors, the memory layout of vectors and structs, and matrices.
#include <array>
#include <cstddef>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

float value_at(uint32_t i) { return static_cast<float>(static_cast<int>(i * 29 % 53) - 26) * 0.5F; }

std::vector<float> values(uint32_t count) {
  std::vector<float> all(count);
  for (uint32_t i = 0; i < count; ++i) all[i] = value_at(i);
  return all;
}

TEST(PackedVector, reads_and_writes_at_element_alignment) {
  const std::string source = R"(
    kernel void k(const device packed_float3* in, device packed_float3* out,
                  device packed_half4* halves, device packed_uchar3* bytes,
                  device packed_int2* ints, uint i [[thread_position_in_grid]]) {
      float3 v = in[i];
      packed_float3 p = v.zyx * 2;
      p.x += 1;
      p *= 0.5f;
      out[i] = p + in[i];
      out[i].yz = out[i].zy;
      out[i][i % 3] -= dot(in[i], float3(1, 2, 3));
      halves[i] = packed_half4(half4(half3(v), 1));
      halves[i].w += halves[i][0];
      bytes[i] = packed_uchar3(uchar(i), 2 * i, 3);
      bytes[i] += uchar3(1);
      ints[i] = packed_int2(int2(v.xy) << 3);
      ints[i].y = -ints[i].x;
    })";
  for (uint32_t n : kOddSizes) {
    std::vector<float> in = values(3 * n), out(3 * n), expected(3 * n);
    std::vector<_Float16> halves(4 * n), expected_halves(4 * n);
    std::vector<uint8_t> bytes(3 * n), expected_bytes(3 * n);
    std::vector<int32_t> ints(2 * n), expected_ints(2 * n);
    for (uint32_t i = 0; i < n; ++i) {
      const float* p = &in[3 * i];
      float* e = &expected[3 * i];
      e[0] = (p[2] * 2 + 1) * 0.5F + p[0];
      e[1] = p[0] + p[2];
      e[2] = p[1] + p[1];
      e[i % 3] -= p[0] + 2 * p[1] + 3 * p[2];
      for (int j = 0; j < 3; ++j) expected_halves[4 * i + j] = static_cast<_Float16>(p[j]);
      expected_halves[4 * i + 3] = static_cast<_Float16>(1 + p[0]);
      uint32_t whole[] = {i + 1, 2 * i + 1, 4};
      for (int j = 0; j < 3; ++j) expected_bytes[3 * i + j] = static_cast<uint8_t>(whole[j]);
      expected_ints[2 * i] = static_cast<int>(p[0]) * 8;
      expected_ints[2 * i + 1] = -expected_ints[2 * i];
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {100, 1, 1}},
               {buffer(in), buffer(out), buffer(halves), buffer(bytes), buffer(ints)});
    EXPECT_EQ(out, expected) << n;
    EXPECT_EQ(halves, expected_halves) << n;
    EXPECT_EQ(bytes, expected_bytes) << n;
    EXPECT_EQ(ints, expected_ints) << n;
  }
}

TEST(Layout, has_metals_sizes_and_alignments) {
  std::vector<uint32_t> out(40);
  run_kernel({.source = R"(
    struct S { char c; float3 v; packed_float3 p; half h; bool b; ushort3 s; long l; };
    struct T { float a; float2 b; int3 c[2]; half3x3 m; };
    enum class E : uchar { one };
    #define OFFSET(T, f) uint(__builtin_offsetof(T, f))
    kernel void k(device uint* o) {
      *o++ = sizeof(float3); *o++ = alignof(float3); *o++ = sizeof(half3); *o++ = sizeof(uchar3);
      *o++ = sizeof(float2); *o++ = alignof(float4); *o++ = sizeof(long3); *o++ = sizeof(bool2);
      *o++ = sizeof(packed_float3); *o++ = alignof(packed_float3); *o++ = sizeof(packed_half3);
      *o++ = sizeof(packed_char4); *o++ = sizeof(float3x3); *o++ = sizeof(float2x4);
      *o++ = sizeof(half4x3); *o++ = sizeof(bfloat2x2); *o++ = alignof(float4x2);
      *o++ = sizeof(long); *o++ = sizeof(int); *o++ = sizeof(half); *o++ = sizeof(bfloat);
      *o++ = sizeof(bool); *o++ = sizeof(size_t); *o++ = sizeof(device float*); *o++ = sizeof(E);
      *o++ = sizeof(S); *o++ = OFFSET(S, v); *o++ = OFFSET(S, p); *o++ = OFFSET(S, h);
      *o++ = OFFSET(S, b); *o++ = OFFSET(S, s); *o++ = OFFSET(S, l);
      *o++ = sizeof(T); *o++ = OFFSET(T, b); *o++ = OFFSET(T, c); *o++ = OFFSET(T, m);
    })",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(out)});
  std::vector<uint32_t> expected = {16, 16, 8,  4,  8,  16, 32, 2,  12, 4, 6,  4,
                                    48, 32, 32, 8,  8,  8,  4,  2,  2,  1, 8,  8,
                                    1,  64, 16, 32, 44, 46, 48, 56, 80, 8, 16, 48};
  expected.resize(40);
  EXPECT_EQ(out, expected);
}

// The host's side of the structs below: what a Swift or C++ program would pass.
struct alignas(16) HostFloat3 {
  float x, y, z;
};
struct HostLight {
  HostFloat3 position;
  float packed[3];
  float strength;
  uint32_t flags;
  alignas(8) float size[2];
};
static_assert(sizeof(HostLight) == 48 && offsetof(HostLight, size) == 40);
struct HostScene {
  uint32_t count;
  HostLight lights[3];
  HostFloat3 up;
  uint8_t order[3];
};

const char* const kSceneSource = R"(
  struct Light {
    float3 position;
    packed_float3 color;
    float strength;
    uint flags;
    float2 size;
  };
  struct Scene { uint count; Light lights[3]; float3 up; uchar order[3]; };
  static float shade(constant Light& l, float3 up) {
    return dot(l.position, up) + l.color.y * l.strength + l.size.y;
  }
  kernel void k(constant Scene& scene, device Light* lights, device float* out,
                uint i [[thread_position_in_grid]]) {
    float sum = 0;
    for (uint j = 0; j < scene.count; ++j) sum += shade(scene.lights[scene.order[j]], scene.up);
    Light mine = lights[i];
    mine.position = mine.position.zxy + scene.lights[i % 3].position;
    mine.color = scene.lights[(i + 1) % 3].color;
    mine.flags |= 0x80;
    out[i] = sum + lights[i].strength;
    lights[i] = mine;
    lights[i].size *= 2;
    lights[i].color[1] = float(i);
  })";

TEST(Layout, passes_structs_with_float3_members) {
  HostScene scene{};
  scene.count = 3;
  scene.up = {1, 2, -1};
  auto light_at = [](uint32_t i) {
    auto v = [&](uint32_t j) { return value_at(11 * i + j); };
    return HostLight{{v(0), v(1), v(2)}, {v(3), v(4), v(5)}, v(6), i, {v(7), v(8)}};
  };
  for (uint32_t j = 0; j < 3; ++j) {
    scene.lights[j] = light_at(100 + j);
    scene.order[j] = static_cast<uint8_t>(2 - j);
  }
  for (uint32_t n : kOddSizes) {
    std::vector<HostLight> lights(n);
    for (uint32_t i = 0; i < n; ++i) lights[i] = light_at(i);
    std::vector<HostLight> expected = lights;
    std::vector<float> out(n), expected_out(n);
    for (uint32_t i = 0; i < n; ++i) {
      for (const HostLight& l : scene.lights) {
        expected_out[i] +=
            l.position.x + 2 * l.position.y - l.position.z + l.packed[1] * l.strength + l.size[1];
      }
      HostLight& e = expected[i];
      expected_out[i] += e.strength;
      const HostFloat3& base = scene.lights[i % 3].position;
      e.position = {e.position.z + base.x, e.position.x + base.y, e.position.y + base.z};
      std::copy_n(scene.lights[(i + 1) % 3].packed, 3, e.packed);
      e.packed[1] = static_cast<float>(i);
      e.flags |= 0x80;
      e.size[0] *= 2, e.size[1] *= 2;
    }
    run_kernel({.source = kSceneSource, .grid = {n, 1, 1}, .threadgroup = {64, 1, 1}},
               {value(scene), buffer(lights), buffer(out)});
    EXPECT_EQ(out, expected_out) << n;
    for (uint32_t i = 0; i < n; ++i) {
      const HostLight &got = lights[i], &want = expected[i];
      ASSERT_TRUE(got.position.x == want.position.x && got.position.y == want.position.y &&
                  got.position.z == want.position.z && got.strength == want.strength &&
                  got.flags == want.flags && got.size[0] == want.size[0] &&
                  got.size[1] == want.size[1] &&
                  std::equal(got.packed, got.packed + 3, want.packed))
          << n << " at " << i;
    }
  }
}

// Column-major on both sides: element (column, row) of a matrix with `rows` rows.
float at(const float* m, int rows, int column, int row) { return m[column * rows + row]; }

TEST(Matrix, multiplies_vectors_and_matrices_of_different_shapes) {
  const std::string source = R"(
    kernel void k(const device float2x4* left, const device float3x2* right, device float4* out,
                  device packed_float3* rows, uint i [[thread_position_in_grid]]) {
      float2x4 a = left[i];
      float3x2 b = right[i];
      float3x4 product = a * b;
      out[4 * i] = product[0];
      out[4 * i + 1] = product[1];
      out[4 * i + 2] = product[2];
      out[4 * i + 3] = a * float2(2, -1);
      rows[2 * i] = float2(1, 3) * b;
      rows[2 * i + 1] = transpose(b)[1];
    })";
  for (uint32_t n : {1U, 33U, 97U, 257U}) {
    std::vector<float> left = values(8 * n), right = values(6 * n);
    std::vector<float> out(16 * n), rows(6 * n), expected(16 * n), expected_rows(6 * n);
    for (uint32_t i = 0; i < n; ++i) {
      const float *a = &left[8 * i], *b = &right[6 * i];
      for (int r = 0; r < 4; ++r) {
        for (int c = 0; c < 3; ++c) {
          for (int j = 0; j < 2; ++j) {
            expected[16 * i + 4 * c + r] += at(a, 4, j, r) * at(b, 2, c, j);
          }
        }
        expected[16 * i + 12 + r] = 2 * at(a, 4, 0, r) - at(a, 4, 1, r);
      }
      for (int c = 0; c < 3; ++c) {
        expected_rows[6 * i + c] = at(b, 2, c, 0) + 3 * at(b, 2, c, 1);
        expected_rows[6 * i + 3 + c] = at(b, 2, c, 1);
      }
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {40, 1, 1}},
               {buffer(left), buffer(right), buffer(out), buffer(rows)});
    EXPECT_EQ(out, expected) << n;
    EXPECT_EQ(rows, expected_rows) << n;
  }
}

TEST(Matrix, gives_access_to_columns_and_elements_in_every_address_space) {
  const std::string source = R"(
    constant float2x2 swap_columns = float2x2(float2(0, 1), float2(1, 0));
    kernel void k(device float4x4* m, constant float4x4& base, device float* out,
                  uint i [[thread_position_in_grid]],
                  uint t [[thread_position_in_threadgroup]]) {
      threadgroup float4x4 shared[32];
      shared[t] = m[i] + base;
      shared[t][t % 4] = base[(t + 1) % 4].wzyx;
      shared[t][3][1] += 5;
      float4x4 mine = 2.0f * shared[t] - m[i];
      mine[0].xy = swap_columns * mine[0].xy;
      m[i][1] = mine[2];
      m[i][2].zw = mine[1].xy;
      m[i] *= 2.0f;
      m[i][i % 4][3] = -base[i % 4][i % 3];
      float3x3 unit(1.0f);
      half2x2 small(1.0h, 2.0h, 3.0h, 4.0h);
      float2x2 wide = float2x2(small);
      *(out + 5 * i) = mine[0][1];
      out[5 * i + 1] = determinant(float3x3(float3(2, 0, 1), float3(0, 3, 0), mine[3].xyz));
      out[5 * i + 2] = dot(unit * mine[1].xyz, float3(1));
      out[5 * i + 3] = wide[1][0] * 10 + float(small[0].y);
      out[5 * i + 4] = determinant(wide) + (unit[1][1] == 1 && unit[2][0] == 0 ? 100 : 0);
    })";
  std::vector<float> base = values(16);
  std::array<float, 16> base_value;
  std::copy(base.begin(), base.end(), base_value.begin());
  for (uint32_t n : {1U, 31U, 97U, 257U}) {
    std::vector<float> m = values(16 * n + 5), out(5 * n), expected_out(5 * n);
    m.erase(m.begin(), m.begin() + 5);
    std::vector<float> expected = m;
    for (uint32_t i = 0; i < n; ++i) {
      uint32_t t = i % 32;
      float* e = &expected[16 * i];
      float shared[16], mine[16];
      for (int j = 0; j < 16; ++j) shared[j] = e[j] + base[j];
      for (int j = 0; j < 4; ++j) shared[4 * (t % 4) + j] = base[4 * ((t + 1) % 4) + 3 - j];
      shared[13] += 5;
      for (int j = 0; j < 16; ++j) mine[j] = 2 * shared[j] - e[j];
      std::swap(mine[0], mine[1]);
      for (int j = 0; j < 4; ++j) e[4 + j] = mine[8 + j];
      e[10] = mine[4], e[11] = mine[5];
      for (int j = 0; j < 16; ++j) e[j] *= 2;
      e[4 * (i % 4) + 3] = -base[4 * (i % 4) + i % 3];
      expected_out[5 * i] = mine[1];
      expected_out[5 * i + 1] = 6 * mine[14] - 3 * mine[12];
      expected_out[5 * i + 2] = mine[4] + mine[5] + mine[6];
      expected_out[5 * i + 3] = 32;
      expected_out[5 * i + 4] = 98;
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {32, 1, 1}},
               {buffer(m), value(base_value), buffer(out)});
    EXPECT_EQ(m, expected) << n;
    EXPECT_EQ(out, expected_out) << n;
  }
}

TEST(Matrix, columns_of_constant_matrices_have_addresses) {
  constexpr uint32_t kCount = 33;
  std::vector<float> in = values(9 * kCount), out(kCount), expected(kCount);
  // Columns of a float3x3 take 16 bytes: the fourth float of each is padding.
  std::vector<float> padded(12 * kCount);
  for (uint32_t i = 0; i < 9 * kCount; ++i) padded[i / 3 * 4 + i % 3] = in[i];
  for (uint32_t i = 0; i < kCount; ++i) {
    const float* m = &in[9 * i];
    expected[i] = m[3] + 2 * m[7] + in[2] + m[0] + m[5];
  }
  run_kernel({.source = R"(
    float second(const device float3* column) { return column->y; }
    float third(const thread float3& column) { return column.z; }
    kernel void k(const device float3x3* in, constant float3x3& first, device float* out,
                  uint i [[thread_position_in_grid]]) {
      const device float3* column = &in[i][1];
      const float3x3 mine = in[i];
      const thread float3* own = &mine[0];
      constant float3* shared = &first[0];
      out[i] = column->x + 2 * second(&in[i][2]) + shared->z + own->x + third(mine[1]);
    })",
              .grid = {kCount, 1, 1},
              .threadgroup = {8, 1, 1}},
             {buffer(padded), buffer(padded), buffer(out)});
  EXPECT_EQ(out, expected);
}

TEST(PackedVector, joins_scalars_and_vectors_in_constructors) {
  struct Vertex {
    float position[3];
    uint16_t half_uv[2];
    float uv[2];
  };
  const Vertex vertex = {{1, 2, 3}, {0x4400, 0x4500}, {6, 7}};  // half: 4 and 5
  std::vector<float> out(4 * 7);
  std::vector<Vertex> vertices = {vertex};
  run_kernel({.source = R"(
    struct Vertex { packed_float3 position; packed_half2 half_uv; packed_float2 uv; };
    constant float4 fixed = float4(packed_float3(1, 2, 3), 4.0f);
    kernel void k(const device Vertex& v, constant Vertex& c, device float4* out) {
      out[0] = float4(v.position, 1.0f);
      out[1] = float4(9, c.position);
      out[2] = float4(v.uv, c.half_uv);
      out[3] = float4(c.uv, 1, 2u);
      out[4] = float4(3, v.uv, 4);
      out[5] = float4(float3(v.half_uv, 8), 0);
      out[6] = fixed;
    })",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(vertices), value(vertex), buffer(out)});
  EXPECT_EQ(out, (std::vector<float>{1, 2, 3, 1, 9, 1, 2, 3, 6, 7, 4, 5, 6, 7,
                                     1, 2, 3, 6, 7, 4, 4, 5, 8, 0, 1, 2, 3, 4}));
}

TEST(SharedHeader, names_of_the_host_stand_for_the_same_types) {
  struct Uniforms {  // as a host lays it out
    alignas(16) float position[4];
    alignas(16) float transform[4][4];
    alignas(8) uint32_t size[2];
    alignas(16) float normals[3][4];
    float packed[4];
  };
  Uniforms uniforms = {{1, 2, 3, 0}, {}, {5, 7}, {}, {1, 2, 3, 4}};
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < 4; ++r) uniforms.transform[c][r] = static_cast<float>(c * 4 + r);
  }
  for (int c = 0; c < 3; ++c) uniforms.normals[c][c] = 2;
  std::vector<float> out(9);
  run_kernel({.source = R"(
    #import <simd/simd.h>
    struct Uniforms {
      vector_float3 position;
      matrix_float4x4 transform;
      simd_uint2 size;
      simd::float3x3 normals;
      simd_packed_float4 packed;
    };
    kernel void k(constant Uniforms& u, device float* out) {
      float4 moved = u.transform * simd::float4(u.position, 1);
      out[0] = moved.x;
      out[1] = moved.w;
      out[2] = u.size.x * 10 + u.size.y;
      simd_float3 n = u.normals * u.position;
      out[3] = n.z;
      out[4] = u.transform.columns[2].y;
      out[5] = u.packed.w;
      out[6] = sizeof(Uniforms);
      out[7] = is_same_v<vector_half4, half4> && is_same_v<simd_float2x3, float2x3>;
      out[8] = alignof(simd_packed_float4);
    })",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {value(uniforms), buffer(out)});
  const float x = 0 * 1 + 4 * 2 + 8 * 3 + 12;
  EXPECT_EQ(out, (std::vector<float>{x, x + 3 * 7, 57, 6, 9, 4, sizeof(Uniforms), 1, 4}));
}

TEST(Packed, vectors_of_other_components_are_converted_when_asked) {
  std::vector<int8_t> in = {-7, 100, 0, 3, -128, 127, 1, 2};
  std::vector<float> out(12, -1);
  std::vector<uint32_t> size(3, 7);
  run_kernel({.source = R"(
    kernel void k(device const packed_char4* in, device float* out,
                  device MTLDispatchThreadgroupsIndirectArguments& size) {
      device packed_float4* wide = (device packed_float4*)out;
      wide[0] = packed_float4(in[0]);
      wide[1] = packed_float4(char4(in[1]));
      packed_half3 halves = packed_half3(packed_float3(in[0].x, 0.5f, 2));
      out[8] = halves.x + halves.y * halves.z;
      packed_int2 whole = packed_int2(packed_short2(-3, 4));
      out[9] = whole.x * whole.y;
      size.threadgroupsPerGrid[1] = 5;
      out[10] = sizeof(MTLDispatchThreadgroupsIndirectArguments);
      out[11] = sizeof(MTLDrawIndexedPrimitivesIndirectArguments);
    })",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(in), buffer(out), buffer(size)});
  EXPECT_EQ(size, (std::vector<uint32_t>{7, 5, 7}));
  EXPECT_EQ(out, (std::vector<float>{-7, 100, 0, 3, -128, 127, 1, 2, -6, -12, 12, 20}));
}

}  // namespace
}  // namespace assay::testing
