// simdgroup_matrix: loads and stores, the layout over the lanes, products in float, half and
// bfloat, and a tiled product of odd sizes.
#include <cmath>
#include <cstdint>

#include "tests/kernels/host_floats.h"
#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

template <typename T>
std::vector<T> values(size_t n, uint32_t seed) {
  std::vector<T> out(n);
  for (size_t i = 0; i < n; ++i) {
    const uint32_t bits = (static_cast<uint32_t>(i) * 1103515245U + seed * 12345U) >> 9;
    out[i] = static_cast<T>(static_cast<float>(bits % 251) / 64.0F - 2.0F);
  }
  return out;
}

TEST(SimdgroupMatrix, spreads_two_neighbouring_elements_over_each_lane) {
  std::vector<float> in(64);
  for (uint32_t i = 0; i < 64; ++i) in[i] = static_cast<float>(i);
  std::vector<float> elements(64);
  std::vector<float> changed(64);
  run_kernel({.source = R"(
kernel void k(const device float* in, device float* elements, device float* changed,
              uint lane [[thread_index_in_simdgroup]]) {
  simdgroup_float8x8 m;
  simdgroup_load(m, in, 8);
  elements[2 * lane] = m.thread_elements()[0];
  elements[2 * lane + 1] = m.thread_elements()[1];
  m.thread_elements()[0] += 100;
  reinterpret_cast<thread float2&>(m.thread_elements()).y = -float(lane);
  simdgroup_store(m, changed, 8);
})",
              .grid = {32, 1, 1},
              .threadgroup = {32, 1, 1}},
             {buffer(in), buffer(elements), buffer(changed)});
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t quad = lane / 4;
    const uint32_t row = (quad & 4) + lane / 2 % 4;
    const uint32_t column = (quad & 2) * 2 + lane % 2 * 2;
    const uint32_t at = row * 8 + column;
    EXPECT_EQ(elements[2 * lane], static_cast<float>(at)) << lane;
    EXPECT_EQ(elements[2 * lane + 1], static_cast<float>(at + 1)) << lane;
    EXPECT_EQ(changed[at], static_cast<float>(at + 100)) << lane;
    EXPECT_EQ(changed[at + 1], -static_cast<float>(lane)) << lane;
  }
}

TEST(SimdgroupMatrix, loads_and_stores_with_stride_origin_and_transpose) {
  // Results, 64 numbers each: plain at an origin, transposed load, transposed store, through
  // threadgroup memory with a stride, filled, diagonal.
  constexpr uint32_t kStride = 21;
  std::vector<float> in(kStride * 19);
  for (uint32_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  std::vector<float> out(6 * 64, -1.0F);
  run_kernel({.source = R"(
kernel void k(const device float* in, device float* out, uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float tile[10 * 11];
  simdgroup_matrix<float, 8, 8> m, t;
  simdgroup_load(m, in, 21, ulong2(5, 3));
  simdgroup_store(m, out);
  simdgroup_load(t, in, 21, ulong2(5, 3), true);
  simdgroup_store(t, out + 64, 8);
  simdgroup_store(m, out + 128, 8, 0, true);
  simdgroup_store(m, tile, 11, ulong2(3, 2));
  simdgroup_barrier(mem_flags::mem_threadgroup);
  simdgroup_load(t, tile + 2 * 11 + 3, 11);
  simdgroup_store(t, out + 192, 8);
  simdgroup_store(make_filled_simdgroup_matrix<float, 8, 8>(2.5f), out + 256, 8);
  simdgroup_store(simdgroup_float8x8(3.0f), out + 320, 8);
})",
              .grid = {32, 1, 1},
              .threadgroup = {32, 1, 1}},
             {buffer(in), buffer(out)});
  for (uint32_t r = 0; r < 8; ++r) {
    for (uint32_t c = 0; c < 8; ++c) {
      const float plain = in[(r + 3) * kStride + c + 5];
      const float turned = in[(c + 3) * kStride + r + 5];
      const float expected[6] = {plain, turned, turned, plain, 2.5F, r == c ? 3.0F : 0.0F};
      for (uint32_t part = 0; part < 6; ++part) {
        EXPECT_EQ(out[part * 64 + r * 8 + c], expected[part]) << part << " " << r << " " << c;
      }
    }
  }
}

// D = A * B and D = A * B + C in the elements' own type, accumulated in float, checked bit for bit:
// the order of additions is fixed.
template <typename T>
void check_products(const char* type) {
  constexpr uint32_t kGroups = 3;
  std::vector<T> a = values<T>(64 * kGroups, 1);
  std::vector<T> b = values<T>(64 * kGroups, 2);
  std::vector<T> c = values<T>(64 * kGroups, 3);
  std::vector<T> product(64 * kGroups);
  std::vector<T> sum(64 * kGroups);
  std::vector<float> wide(64 * kGroups);
  run_kernel({.source = R"(
kernel void k(const device T* a, const device T* b, const device T* c, device T* product,
              device T* sum, device float* wide, uint g [[simdgroup_index_in_threadgroup]]) {
  simdgroup_matrix<T, 8, 8> ma, mb, mc, md;
  simdgroup_load(ma, a + 64 * g, 8);
  simdgroup_load(mb, b + 64 * g, 8);
  simdgroup_load(mc, c + 64 * g, 8);
  simdgroup_multiply(md, ma, mb);
  simdgroup_store(md, product + 64 * g, 8);
  simdgroup_multiply_accumulate(md, ma, mb, mc);
  simdgroup_store(md, sum + 64 * g, 8);
  simdgroup_float8x8 acc = make_filled_simdgroup_matrix<float, 8>(1.0f);
  for (int i = 0; i < 2; ++i) simdgroup_multiply_accumulate(acc, ma, mb, acc);
  simdgroup_store(acc, wide + 64 * g, 8);
})",
              .grid = {32 * kGroups, 1, 1},
              .threadgroup = {32 * kGroups, 1, 1},
              .defines = {{"T", type}}},
             {buffer(a), buffer(b), buffer(c), buffer(product), buffer(sum), buffer(wide)});
  auto dot = [&](uint32_t g, uint32_t r, uint32_t column, float acc) {
    for (uint32_t k = 0; k < 8; ++k) {
      acc = std::fma(static_cast<float>(a[64 * g + r * 8 + k]),
                     static_cast<float>(b[64 * g + k * 8 + column]), acc);
    }
    return acc;
  };
  for (uint32_t i = 0; i < 64 * kGroups; ++i) {
    const uint32_t g = i / 64;
    const uint32_t r = i % 64 / 8;
    const uint32_t column = i % 8;
    ASSERT_EQ(float(product[i]), float(static_cast<T>(dot(g, r, column, 0.0F)))) << type << i;
    ASSERT_EQ(float(sum[i]), float(static_cast<T>(dot(g, r, column, float(c[i]))))) << type << i;
    ASSERT_EQ(wide[i], dot(g, r, column, dot(g, r, column, 1.0F))) << type << " " << i;
  }
}

TEST(SimdgroupMatrix, multiplies_float) { check_products<float>("float"); }
TEST(SimdgroupMatrix, multiplies_half) { check_products<Half>("half"); }
TEST(SimdgroupMatrix, multiplies_bfloat) { check_products<Bfloat>("bfloat"); }

// 32x32 output tiles, 4 simdgroups of 16x16 each; edges are padded with zeros in threadgroup memory
// and stored through it.
const char* const kTiledSource = R"(
struct Sizes { uint m, n, k; };
kernel void k(const device T* a, const device T* b, device float* c, constant Sizes& s,
              uint2 group [[threadgroup_position_in_grid]],
              uint t [[thread_index_in_threadgroup]],
              uint simdgroup [[simdgroup_index_in_threadgroup]]) {
  threadgroup T ta[32 * 16];
  threadgroup T tb[16 * 36];
  threadgroup float tc[32 * 32];
  const uint row0 = group.y * 32, col0 = group.x * 32;
  const uint sr = (simdgroup / 2) * 16, sc = (simdgroup % 2) * 16;
  simdgroup_float8x8 acc[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) acc[i][j] = make_filled_simdgroup_matrix<float, 8, 8>(0.f);
  for (uint k0 = 0; k0 < s.k; k0 += 16) {
    for (uint e = t; e < 32 * 16; e += 128) {
      uint r = e / 16, q = e % 16;
      ta[e] = row0 + r < s.m && k0 + q < s.k ? a[(row0 + r) * s.k + k0 + q] : T(0);
      uint br = e / 32, bc = e % 32;
      tb[br * 36 + bc] = k0 + br < s.k && col0 + bc < s.n ? b[(k0 + br) * s.n + col0 + bc] : T(0);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
#pragma unroll
    for (uint kk = 0; kk < 16; kk += 8) {
      simdgroup_matrix<T, 8, 8> ma[2], mb[2];
      for (uint i = 0; i < 2; ++i) {
        simdgroup_load(ma[i], ta + (sr + 8 * i) * 16 + kk, 16);
        simdgroup_load(mb[i], tb + kk * 36 + sc + 8 * i, 36);
      }
      simdgroup_barrier(mem_flags::mem_none);
      for (uint i = 0; i < 2; ++i)
        for (uint j = 0; j < 2; ++j)
          simdgroup_multiply_accumulate(acc[i][j], ma[i], mb[j], acc[i][j]);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  for (uint i = 0; i < 2; ++i)
    for (uint j = 0; j < 2; ++j)
      simdgroup_store(acc[i][j], tc + (sr + 8 * i) * 32 + sc + 8 * j, 32);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint e = t; e < 32 * 32; e += 128) {
    uint r = row0 + e / 32, q = col0 + e % 32;
    if (r < s.m && q < s.n) c[r * s.n + q] = tc[e];
  }
}
)";

template <typename T>
void check_tiled(const char* type, uint32_t m, uint32_t n, uint32_t k) {
  std::vector<T> a = values<T>(size_t{m} * k, 4);
  std::vector<T> b = values<T>(size_t{k} * n, 5);
  std::vector<float> c(size_t{m} * n, -1.0F);
  struct Sizes {
    uint32_t m, n, k;
  };
  run_kernel({.source = kTiledSource,
              .grid = {(n + 31) / 32 * 128, (m + 31) / 32, 1},
              .threadgroup = {128, 1, 1},
              .defines = {{"T", type}}},
             {buffer(a), buffer(b), buffer(c), value(Sizes{m, n, k})});
  for (uint32_t r = 0; r < m; ++r) {
    for (uint32_t column = 0; column < n; ++column) {
      double sum = 0;
      double scale = 0;
      for (uint32_t i = 0; i < k; ++i) {
        const double term = static_cast<double>(static_cast<float>(a[size_t{r} * k + i])) *
                            static_cast<double>(static_cast<float>(b[size_t{i} * n + column]));
        sum += term;
        scale += std::abs(term);
      }
      ASSERT_NEAR(c[size_t{r} * n + column], sum, scale * 1e-6 + 1e-6)
          << type << " " << m << "x" << n << "x" << k << " at " << r << ", " << column;
    }
  }
}

TEST(SimdgroupMatrix, multiplies_odd_sizes_in_tiles) {
  check_tiled<float>("float", 1, 1, 1);
  check_tiled<float>("float", 33, 31, 17);
  check_tiled<float>("float", 65, 40, 97);
  check_tiled<Half>("half", 37, 70, 33);
  check_tiled<Bfloat>("bfloat", 29, 35, 47);
}

TEST(SimdgroupMatrix, serves_kernels_with_a_matrix_type_of_their_own) {
  std::vector<float> a(64), b(64), out(64);
  for (size_t i = 0; i < 64; ++i) {
    a[i] = static_cast<float>(static_cast<int>(i * 7 % 13) - 6);
    b[i] = static_cast<float>(static_cast<int>(i * 5 % 11) - 5);
  }
  run_kernel({.source = R"(
    template <typename T>
    struct Storage {
      typedef vec<T, 64> storage_type;
      storage_type t;
      thread vec<T, 2>* elements() thread { return reinterpret_cast<thread vec<T, 2>*>(&t); }
      template <typename U>
      void load(const device U* source, ushort2 at) thread {
        *elements() = vec<T, 2>(source[at.y * 8 + at.x], source[at.y * 8 + at.x + 1]);
      }
      template <typename U, typename V>
      void multiply(Storage<U> a, Storage<V> b) thread {
        t = __metal_simdgroup_matrix_8x8_multiply_accumulate(a.t, b.t, t, storage_type());
      }
    };
    kernel void k(const device float* a, const device float* b, device float* out,
                  ushort lane [[thread_index_in_simdgroup]]) {
      ushort quad = lane / 4;
      ushort2 at = ushort2((quad & 2) * 2 + (lane % 2) * 2, (quad & 4) + (lane / 2) % 4);
      Storage<half> left;
      Storage<float> right, sum;
      left.load(a, at);
      right.load(b, at);
      *sum.elements() = float2(1, 2);
      sum.multiply(left, right);
      out[at.y * 8 + at.x] = sum.elements()->x;
      out[at.y * 8 + at.x + 1] = sum.elements()->y;
    })",
              .grid = {32, 1, 1},
              .threadgroup = {32, 1, 1}},
             {buffer(a), buffer(b), buffer(out)});
  for (size_t row = 0; row < 8; ++row) {
    for (size_t column = 0; column < 8; ++column) {
      float expected = static_cast<float>(1 + column % 2);
      for (size_t j = 0; j < 8; ++j) expected += a[row * 8 + j] * b[j * 8 + column];
      EXPECT_EQ(out[row * 8 + column], expected) << row << ", " << column;
    }
  }
}

}  // namespace
}  // namespace assay::testing
