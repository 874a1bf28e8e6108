// Vector types of MSL: construction, conversion, swizzles, operators, comparison, dynamic indices.
#include <array>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

// What the kernels read at element i: small integers of both signs, exact in every type.
float input_at(uint32_t i) { return static_cast<float>(static_cast<int>(i * 37 % 61) - 30); }

std::vector<float> inputs(uint32_t count) {
  std::vector<float> values(count);
  for (uint32_t i = 0; i < count; ++i) values[i] = input_at(i);
  return values;
}

// Runs `body`, in which `p` points to four inputs and `o` to `row` results of the thread, and
// compares with `reference`, which gets the same two pointers.
template <typename T = float, typename Reference>
void check_rows(const std::string& body, size_t row, Reference reference,
                const std::string& type = "float") {
  for (uint32_t n : {1U, 33U, 97U, 257U}) {
    std::vector<float> in = inputs(4 * n);
    std::vector<T> out(n * row), expected(n * row);
    for (uint32_t i = 0; i < n; ++i) reference(&in[4 * i], &expected[i * row]);
    run_kernel({.source = "kernel void k(const device float* in, device " + type +
                          "* out, uint i [[thread_position_in_grid]]) {\n"
                          "  const device float* p = in + 4 * i;\n  device " +
                          type + "* o = out + i * " + std::to_string(row) + ";\n" + body + "}\n",
                .grid = {n, 1, 1},
                .threadgroup = {48, 1, 1}},
               {buffer(in), buffer(out)});
    EXPECT_EQ(out, expected) << n;
  }
}

TEST(Vector, is_built_from_every_mix_of_scalars_and_vectors) {
  check_rows(R"(
    float a = p[0], b = p[1], c = p[2], d = p[3];
    float2 ab(a, b), cd(c, d);
    float3 abc(a, b, c), bcd(b, c, d);
    float4 all[] = {float4(a, b, c, d), float4(ab, cd), float4(ab, c, d), float4(a, bcd),
                    float4(abc, d), float4(a, b, cd), float4(a, float2(b, c), d), float4(a),
                    float4(int(a), b, short(c), half(d)), float4(int2(ab), half2(cd)),
                    float4{a, b, c, d}, vec<float, 4>(ab, cd)};
    for (int j = 0; j < 12; ++j) {
      for (int k = 0; k < 4; ++k) *o++ = all[j][k];
    }
    float3 threes[] = {float3(ab, c), float3(a, float2(b, c)), float3(c), {a, b, c}};
    for (int j = 0; j < 4; ++j) { *o++ = threes[j].x; *o++ = threes[j].y; *o++ = threes[j].z; }
    float2 splat = d;
    float4 copied = 5;
    *o++ = splat.x; *o++ = splat.y; *o++ = copied.w; *o++ = float2(9).y;
  )",
             64, [](const float* p, float* o) {
               auto put = [&](std::initializer_list<float> values) {
                 for (float value : values) *o++ = value;
               };
               for (int j = 0; j < 12; ++j) {
                 if (j == 7) {
                   put({p[0], p[0], p[0], p[0]});
                 } else {
                   put({p[0], p[1], p[2], p[3]});
                 }
               }
               put({p[0], p[1], p[2], p[0], p[1], p[2], p[2], p[2], p[2], p[0], p[1], p[2]});
               put({p[3], p[3], 5, 9});
             });
}

TEST(Vector, converts_element_by_element_between_all_types) {
  check_rows(R"(
    float4 v = float4(p[0], p[1], p[2], p[3]) + 0.75f;
    int4 truncated(v);
    half4 h(v);
    char4 c(truncated);
    uchar4 u(truncated);
    short4 s(truncated);
    ushort4 us(truncated);
    long4 l(truncated);
    bool4 b(truncated);
    bfloat4 bf(truncated);
    uint4 ui = uint4(l);
    for (int k = 0; k < 4; ++k) {
      *o++ = truncated[k]; *o++ = h[k]; *o++ = c[k]; *o++ = u[k]; *o++ = s[k]; *o++ = us[k];
      *o++ = float(l[k]); *o++ = b[k]; *o++ = float(bf[k]); *o++ = float(ui[k] >> 16);
      *o++ = float4(h)[k]; *o++ = float(half4(bf)[k]); *o++ = ((float4)(c))[k];
    }
  )",
             52, [](const float* p, float* o) {
               for (int k = 0; k < 4; ++k) {
                 float v = p[k] + 0.75F;
                 int whole = static_cast<int>(v);
                 auto us = static_cast<uint16_t>(whole);
                 float all[] = {static_cast<float>(whole),
                                v,
                                static_cast<float>(whole),
                                static_cast<float>(static_cast<uint8_t>(whole)),
                                static_cast<float>(whole),
                                static_cast<float>(us),
                                static_cast<float>(whole),
                                whole != 0 ? 1.0F : 0.0F,
                                static_cast<float>(whole),
                                whole < 0 ? 65535.0F : 0.0F,
                                v,
                                static_cast<float>(whole),
                                static_cast<float>(whole)};
                 o = std::copy(std::begin(all), std::end(all), o);
               }
             });
}

TEST(Vector, reads_swizzles_in_both_alphabets) {
  check_rows(R"(
    float4 v(p[0], p[1], p[2], p[3]);
    float2 t = v.yx;
    float3 u = v.wzy;
    *o++ = v.wzyx.x; *o++ = v.xxyy.w; *o++ = v.zw.y; *o++ = v.yzw.z; *o++ = v.bgra.x;
    *o++ = v.rgb.y; *o++ = v.a; *o++ = v.gg.x; *o++ = t.xyxy.w; *o++ = t.yxx.x; *o++ = u.zyx.x;
    *o++ = u.xz.y; *o++ = u.rrr.z; *o++ = float4(u.zyx, v.x).y; *o++ = v.xyz.zx.y;
    float4 doubled = v.xyzw + v.wzyx;
    *o++ = doubled.x; *o++ = doubled.y; *o++ = doubled[2]; *o++ = dot(v.xy, v.zw);
  )",
             19, [](const float* p, float* o) {
               float all[] = {p[3],
                              p[1],
                              p[3],
                              p[3],
                              p[2],
                              p[1],
                              p[3],
                              p[1],
                              p[0],
                              p[0],
                              p[1],
                              p[1],
                              p[3],
                              p[2],
                              p[0],
                              p[0] + p[3],
                              p[1] + p[2],
                              p[2] + p[1],
                              p[0] * p[2] + p[1] * p[3]};
               std::copy(std::begin(all), std::end(all), o);
             });
}

TEST(Vector, writes_swizzles_in_thread_memory) {
  check_rows(R"(
    float4 v(p[0], p[1], p[2], p[3]);
    v.xy = v.yx;
    v.zw += float2(10, 20);
    v.yzw *= 2.0f;
    v.a -= 1;
    v.rb = float2(v.b, v.r);
    v.xyz = v.zxy;
    v.w = v.x++;
    float3 u(1);
    u.zx = v.yw;
    u.y /= 2;
    *o++ = v.x; *o++ = v.y; *o++ = v.z; *o++ = v.w; *o++ = u.x; *o++ = u.y; *o++ = u.z;
    int4 n = int4(v);
    n.xz <<= 2; n.yw |= 1; n.x ^= n.y; n.z %= 7; n.w &= ~2;
    *o++ = n.x; *o++ = n.y; *o++ = n.z; *o++ = n.w;
  )",
             11, [](const float* p, float* o) {
               float x = p[1], y = p[0], z = p[2], w = p[3];
               z += 10, w += 20, y *= 2, z *= 2, w *= 2, w -= 1;
               std::swap(x, z);
               float old_x = x;
               x = z, z = y, y = old_x;
               w = x;
               x += 1;
               float all[] = {x, y, z, w, w, 0.5F, y};
               o = std::copy(std::begin(all), std::end(all), o);
               int n[] = {static_cast<int>(x), static_cast<int>(y), static_cast<int>(z),
                          static_cast<int>(w)};
               n[0] *= 4, n[2] *= 4, n[1] |= 1, n[3] |= 1;
               n[0] ^= n[1], n[2] %= 7, n[3] &= ~2;
               std::copy(std::begin(n), std::end(n), o);
             });
}

TEST(Vector, has_values_for_assignments_to_swizzles) {
  check_rows(R"(
    float4 v(p[0], p[1], p[2], p[3]);
    v.zw = v.xy = float2(p[3], p[2]);
    float2 a = v.yx += 1.0f;
    v.x = v.y = v.w = p[1];
    int4 n = int4(1, 2, 3, 4);
    int2 b = --n.zw;
    *o++ = v.x; *o++ = v.y; *o++ = v.z; *o++ = v.w; *o++ = a.x; *o++ = a.y; *o++ = b.x; *o++ = n.w;
  )",
             8, [](const float* p, float* o) {
               float all[] = {p[1], p[1], p[3], p[1], p[2] + 1, p[3] + 1, 2, 3};
               std::copy(std::begin(all), std::end(all), o);
             });
}

TEST(Vector, writes_swizzles_in_device_and_threadgroup_memory) {
  const std::string source = R"(
    kernel void k(const device float4* in [[buffer(0)]], device float4* out [[buffer(1)]],
                  threadgroup float4* shared [[threadgroup(0)]],
                  uint i [[thread_position_in_grid]],
                  uint t [[thread_position_in_threadgroup]],
                  uint count [[threads_per_threadgroup]]) {
      threadgroup float3 fixed[48];
      shared[t] = in[i];
      shared[t].xz = shared[t].zx;
      shared[t].w += 3;
      fixed[t].xyz = in[i].yzw;
      fixed[t].zy *= float2(2, 4);
      threadgroup_barrier(mem_flags::mem_threadgroup);
      uint other = count - 1 - t;
      out[2 * i] = shared[other];
      out[2 * i].yw = fixed[other].xz;
      out[2 * i].rg += 1.0f;
      out[2 * i + 1].xyz = fixed[other];
      out[2 * i + 1].a = shared[other][t % 4];
      threadgroup_barrier(mem_flags::mem_threadgroup);
      shared[t][t % 4] = 0;
    })";
  for (uint32_t n : {5U, 48U, 131U, 257U}) {
    std::vector<float> in = inputs(4 * n), out(8 * n), expected(8 * n);
    for (uint32_t i = 0; i < n; ++i) {
      uint32_t first = i / 48 * 48, t = i % 48;
      uint32_t group = std::min<uint32_t>(48, n - first);
      const float* p = &in[4 * (first + group - 1 - t)];
      float shared[] = {p[2], p[1], p[0], p[3] + 3};
      float fixed[] = {p[1], p[2] * 4, p[3] * 2};
      float row[] = {shared[0] + 1, fixed[0] + 1, shared[2], fixed[2],
                     fixed[0],      fixed[1],     fixed[2],  shared[t % 4]};
      std::copy(std::begin(row), std::end(row), &expected[8 * i]);
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {48, 1, 1}},
               {buffer(in), buffer(out), threadgroup_memory(48 * 16)});
    EXPECT_EQ(out, expected) << n;
  }
}

TEST(Vector, compares_into_bool_vectors) {
  check_rows<int>(
      R"(
    float4 v(p[0], p[1], p[2], p[3]);
    float4 w = v.wzyx;
    bool4 less = v < w, equal = v == w, either = (v <= 0.0f) || (w != v), both = v > 0 && w >= 0;
    bool4 no = !less;
    for (int k = 0; k < 4; ++k) {
      *o++ = less[k]; *o++ = equal[k]; *o++ = either[k]; *o++ = both[k]; *o++ = no[k];
    }
    *o++ = any(less); *o++ = all(less); *o++ = any(v == 0); *o++ = all(v.xy > -25);
    *o++ = any(bool3(less.xyz)); *o++ = all(equal.xyz || !equal.xyz); *o++ = int(all(v == v));
    float4 chosen = select(v, w, less);
    int3 ints = select(int3(1, 2, 3), int3(-1, -2, -3), v.xyz > 0);
    float one = select(v.x, v.y, v.x < v.y);
    for (int k = 0; k < 4; ++k) *o++ = int(chosen[k]);
    *o++ = ints.x; *o++ = ints.y; *o++ = ints.z; *o++ = int(one);
    if (any(isnan(v))) *o = 1; else *o = all(isfinite(w)) ? 7 : 8;
  )",
      36,
      [](const float* p, int* o) {
        bool some = false, every = true;
        for (int k = 0; k < 4; ++k) {
          float v = p[k], w = p[3 - k];
          some |= v < w, every &= v < w;
          *o++ = v < w;
          *o++ = v == w;
          *o++ = v <= 0 || w != v;
          *o++ = v > 0 && w >= 0;
          *o++ = !(v < w);
        }
        *o++ = some;
        *o++ = every;
        *o++ = p[0] == 0 || p[1] == 0 || p[2] == 0 || p[3] == 0;
        *o++ = p[0] > -25 && p[1] > -25;
        *o++ = p[0] < p[3] || p[1] < p[2] || p[2] < p[1];
        *o++ = 1;
        *o++ = 1;
        for (int k = 0; k < 4; ++k) *o++ = static_cast<int>(std::max(p[k], p[3 - k]));
        for (int k = 0; k < 3; ++k) *o++ = p[k] > 0 ? -(k + 1) : k + 1;
        *o++ = static_cast<int>(std::max(p[0], p[1]));
        *o = 7;
      },
      "int");
}

TEST(Vector, mixes_with_scalars_in_every_operator) {
  check_rows(
      R"(
    float4 v(p[0], p[1], p[2], p[3]);
    int4 n(v);
    uint4 u = uint4(n) & 1023u;
    float4 f[] = {v + 1, 1 - v, v * 2.0f, 0.5f * v, v / 4, -v, +v, 3 + v - 2 * v};
    int4 d[] = {n % 7, n & 12, n | 3, n ^ 5, n << 2, n >> 1, ~n, 100 - n, 3 * n, n / 3};
    uint4 e[] = {u >> 3, u << uint4(1, 2, 3, 4), u % 10, 1u + u, u * u.wzyx, u ^ u.yxwz};
    for (int k = 0; k < 4; ++k) {
      for (int j = 0; j < 8; ++j) *o++ = f[j][k];
      for (int j = 0; j < 10; ++j) *o++ = d[j][k];
      for (int j = 0; j < 6; ++j) *o++ = e[j][k];
    }
  )",
      96, [](const float* p, float* o) {
        for (int k = 0; k < 4; ++k) {
          float v = p[k];
          int n = static_cast<int>(v);
          auto word = [&](int at) {
            return static_cast<uint32_t>(static_cast<int>(p[at])) & 1023U;
          };
          uint32_t u = word(k);
          for (float f : {v + 1, 1 - v, v * 2, 0.5F * v, v / 4, -v, v, 3 + v - 2 * v}) {
            *o++ = f;
          }
          for (int d : {n % 7, n & 12, n | 3, n ^ 5, n * 4, n >> 1, ~n, 100 - n, 3 * n, n / 3}) {
            *o++ = static_cast<float>(d);
          }
          for (uint32_t e :
               {u >> 3, u << (k + 1), u % 10, 1 + u, u * word(3 - k), u ^ word(k ^ 1)}) {
            *o++ = static_cast<float>(e);
          }
        }
      });
}

TEST(Vector, is_indexed_dynamically_for_reads_and_writes) {
  const std::string source = R"(
    static float pick(thread const float4& v, int j) { return v[j]; }
    static void add_at(device float4& v, uint j, float by) { v[j] += by; }
    kernel void k(const device float4* in, device float4* out, constant uint2& shift,
                  uint i [[thread_position_in_grid]]) {
      float4 turned = 0;
      float3 three(7, 8, 9);
      for (uint j = 0; j < 4; ++j) turned[(i + j) % 4] = in[i][j];
      three[i % 3] = -1;
      turned[i & 1] += three[(i + shift[i % 2]) % 3];
      out[i] = turned;
      out[i][(i + shift.y) % 4] *= 2;
      add_at(out[i], i % 4, pick(turned, (i + 1) % 4));
    })";
  struct Shift {
    uint32_t x, y;
  } shift{1, 2};
  for (uint32_t n : kOddSizes) {
    std::vector<float> in = inputs(4 * n), out(4 * n), expected(4 * n);
    for (uint32_t i = 0; i < n; ++i) {
      float turned[4], three[] = {7, 8, 9};
      for (uint32_t j = 0; j < 4; ++j) turned[(i + j) % 4] = in[4 * i + j];
      three[i % 3] = -1;
      turned[i & 1] += three[(i + (i % 2 == 0 ? shift.x : shift.y)) % 3];
      std::copy(std::begin(turned), std::end(turned), &expected[4 * i]);
      expected[4 * i + (i + shift.y) % 4] *= 2;
      expected[4 * i + i % 4] += turned[(i + 1) % 4];
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {96, 1, 1}},
               {buffer(in), buffer(out), value(shift)});
    EXPECT_EQ(out, expected) << n;
  }
}

TEST(Vector, is_shifted_by_counts_of_another_integer_type) {
  constexpr uint32_t kCount = 37;
  std::vector<int32_t> out(kCount * 4);
  run_kernel({.source = R"(
    kernel void k(device int2* out, uint i [[thread_position_in_grid]]) {
      int2 v = int2(i, -int(i)) << uint2(i % 7, 3);
      v >>= ushort2(1, 2);
      out[2 * i] = v;
      out[2 * i + 1] = int2(1, 2);
      out[2 * i + 1] <<= uint2(i % 5, i % 3);
    })",
              .grid = {kCount, 1, 1},
              .threadgroup = {8, 1, 1}},
             {buffer(out)});
  for (int32_t i = 0; i < static_cast<int32_t>(kCount); ++i) {
    const std::vector<int32_t> expected = {i * (1 << i % 7) >> 1, -i * 8 >> 2, 1 << i % 5,
                                           2 << i % 3};
    const auto first = out.begin() + 4 * i;
    EXPECT_EQ(std::vector<int32_t>(first, first + 4), expected) << "thread " << i;
  }
}

TEST(Vector, has_a_size_that_templates_deduce_into_any_integer_type) {
  std::vector<int32_t> out(7);
  run_kernel({.source = R"(
    template <typename T, int N> int by_int(vec<T, N> v) { return N * 10 + int(v[N - 1]); }
    template <uint N> int by_uint(vec<float, N> v) { return N * 10 + int(v[N - 1]); }
    template <typename T, size_t N> int by_size(const device vec<T, N>& v) { return int(N); }
    template <typename T, uint V, uint N>
    int of_array(thread T (&scalars)[N], thread const vec<T, V> (&vectors)[N]) {
      for (uint i = 0; i < N; ++i) scalars[i] = vectors[i][V - 1];
      return V * 100 + N;
    }
    template <typename T> struct Half { static constexpr constant int value = 0; };
    template <ushort N> struct Half<vec<float, N>> {
      typedef vec<half, N> type;
      static constexpr constant int value = N;
    };
    template <typename T> int overloaded(T) { return 1; }
    template <typename T, int N> int overloaded(vec<T, N>) { return 2; }
    template <typename T> int overloaded(vec<T, 3>) { return 3; }
    kernel void k(device int* out, const device float4& in) {
      out[0] = by_int(short3(1, 2, 3));
      out[1] = by_uint(float2(4, 5));
      out[2] = by_size(in);
      float scalars[3];
      float4 vectors[3] = {float4(1), float4(2), float4(3)};
      out[3] = of_array(scalars, vectors) * 10 + int(scalars[2]);
      out[4] = Half<float4>::value * 10 + sizeof(Half<float3>::type);
      out[5] = Half<int4>::value;
      out[6] = overloaded(1) * 100 + overloaded(uchar4(1)) * 10 + overloaded(half3(1));
    })",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(out), value(std::array<float, 4>{})});
  EXPECT_EQ(out, (std::vector<int32_t>{33, 25, 4, 4033, 48, 0, 123}));
}

TEST(Vector, loses_its_last_components_when_a_shorter_one_is_made_of_it) {
  constexpr uint32_t kCount = 37;
  std::vector<float> in = inputs(kCount * 4);
  std::vector<float> out(kCount * 7);
  run_kernel({.source = R"(
    kernel void k(const device float4* in, device float* out, uint i [[thread_position_in_grid]]) {
      float3 three = float3(in[i]);
      int2 two = int2(in[i]);
      half2 short_two(three);
      out += i * 7;
      out[0] = three.x; out[1] = three.y; out[2] = three.z;
      out[3] = two.x; out[4] = two.y;
      out[5] = short_two.x; out[6] = short_two.y;
    })",
              .grid = {kCount, 1, 1},
              .threadgroup = {8, 1, 1}},
             {buffer(in), buffer(out)});
  for (uint32_t i = 0; i < kCount; ++i) {
    const float x = in[4 * i], y = in[4 * i + 1], z = in[4 * i + 2];
    const auto first = out.begin() + 7 * i;
    EXPECT_EQ(std::vector<float>(first, first + 7), (std::vector<float>{x, y, z, x, y, x, y})) << i;
  }
}

TEST(Vector, of_eight_converts_its_elements) {
  const std::string source = R"(
    typedef half half8 __attribute__((ext_vector_type(8)));
    typedef __attribute__((ext_vector_type(8))) float float8;
    using int8 = int __attribute__((__ext_vector_type__(8)));
    kernel void k(const device int* in [[buffer(0)]], device float* out [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
      int8 n = (int8)(0, 1, 2, 3, 4, 5, 6, 7) + in[i];
      half8 h = static_cast<half8>((float8)n * 0.5f);
      float8 f = float8(h) + float8(0.25f) + (float8)1;
      ulong bytes = sizeof(float8) * sizeof(half8);
      for (int j = 0; j < 8; ++j) out[8 * i + j] = f[j] + float(bytes) + float8(n)[j];
    }
  )";
  for (uint32_t n : {1U, 31U, 97U}) {
    std::vector<int32_t> in(n);
    std::vector<float> out(8 * n), expected(8 * n);
    for (uint32_t i = 0; i < n; ++i) in[i] = static_cast<int32_t>(i) - 20;
    for (uint32_t i = 0; i < 8 * n; ++i) {
      const auto element = static_cast<float>(in[i / 8] + static_cast<int32_t>(i % 8));
      expected[i] = element * 0.5F + 1.25F + 32 * 16 + element;
    }
    run_kernel({.source = source, .kernel = "k", .grid = {n, 1, 1}, .threadgroup = {32, 1, 1}},
               {buffer(in), buffer(out)});
    EXPECT_EQ(out, expected) << n;
  }
}

TEST(Vector, of_eight_divides_and_shifts_by_any_number) {
  const std::string source = R"(
    typedef int int8 __attribute__((ext_vector_type(8)));
    kernel void k(const device int* in [[buffer(0)]], device int8* quotients [[buffer(1)]],
                  device int8* rests [[buffer(2)]], device int8* shifted [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
      int8 n = (int8)(-1, 0, 1, 2, 3, 31, 32, 100) * in[i];
      quotients[i] = (int8)(in[i] + 5) / n;
      rests[i] = (int8)(in[i] + 5) % n;
      shifted[i] = (int8)(in[i]) << n;
    }
  )";
  constexpr int32_t kFactors[] = {-1, 0, 1, 2, 3, 31, 32, 100};
  for (uint32_t n : {1U, 31U, 97U}) {
    std::vector<int32_t> in(n);
    std::vector<int32_t> quotients(8 * n), rests(8 * n), shifted(8 * n);
    for (uint32_t i = 0; i < n; ++i) in[i] = static_cast<int32_t>(i) - 20;
    run_kernel({.source = source, .kernel = "k", .grid = {n, 1, 1}, .threadgroup = {32, 1, 1}},
               {buffer(in), buffer(quotients), buffer(rests), buffer(shifted)});
    for (uint32_t i = 0; i < 8 * n; ++i) {
      const int32_t x = in[i / 8];
      const int32_t amount = kFactors[i % 8] * x;
      const int32_t divisor = amount == 0 ? 1 : amount;  // as scalars: guard_division.h
      EXPECT_EQ(quotients[i], (x + 5) / divisor) << n << " " << i;
      EXPECT_EQ(rests[i], (x + 5) % divisor) << n << " " << i;
      const auto bits = static_cast<uint32_t>(x) << (static_cast<uint32_t>(amount) & 31);
      EXPECT_EQ(shifted[i], static_cast<int32_t>(bits)) << n << " " << i;
    }
  }
}

TEST(Vector, eight_and_sixteen_components_have_arithmetic_and_subscripts) {
  std::vector<float> in(37);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i) - 5.0F;
  std::vector<float> out(24);
  run_kernel({.source = R"(
constant vec<float, 8> kScale(1, 2, 3, 4, 5, 6, 7, 8);
kernel void k(const device float* in, device float* out) {
  vec<float, 8> a(0.5f);
  vec<half, 16> b;
  for (int i = 0; i < 8; ++i) a[i] += in[i] * kScale[i];
  for (int i = 0; i < 16; ++i) b[i] = half(in[i + 3]);
  a = -a * vec<float, 8>(2) - a / a;
  a += vec<float, 8>(1);
  vec<float, 16> wide = vec<float, 16>(b);
  for (int i = 0; i < 8; ++i) out[i] = a[i];
  for (int i = 0; i < 16; ++i) out[8 + i] = (wide * wide)[i];
})",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(in), buffer(out)});
  for (size_t i = 0; i < 8; ++i) {
    const float a = 0.5F + in[i] * static_cast<float>(i + 1);
    EXPECT_EQ(out[i], -a * 2.0F) << i;
  }
  for (size_t i = 0; i < 16; ++i) EXPECT_EQ(out[8 + i], in[i + 3] * in[i + 3]) << i;
}

}  // namespace
}  // namespace assay::testing
