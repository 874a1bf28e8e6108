// threadgroup variables: shapes, scopes, helpers, templates, host-sized arguments, alignment.
#include <array>
#include <cstdint>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

TEST(ThreadgroupMemory, holds_one_and_two_dimensional_arrays) {
  constexpr uint32_t kWidth = 21;
  constexpr uint32_t kHeight = 13;
  std::vector<uint32_t> out(kWidth * kHeight);
  run_kernel({.source = R"(
kernel void k(device uint* out, uint2 p [[thread_position_in_grid]],
              uint2 t [[thread_position_in_threadgroup]],
              uint2 size [[threads_per_threadgroup]], uint2 grid [[threads_per_grid]]) {
  threadgroup uint tile[4][8 + 1];
  threadgroup uint rows[4], first;
  tile[t.y][t.x] = p.y * 100 + p.x;
  if (t.x == 0) rows[t.y] = p.y + 1000;
  if (t.x == 0 && t.y == 0) first = p.x;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[p.y * grid.x + p.x] =
      tile[size.y - 1 - t.y][size.x - 1 - t.x] + rows[(t.y + 1) % size.y] * 10000 + first;
})",
              .grid = {kWidth, kHeight, 1},
              .threadgroup = {8, 4, 1}},
             {buffer(out)});
  for (uint32_t y = 0; y < kHeight; ++y) {
    for (uint32_t x = 0; x < kWidth; ++x) {
      const uint32_t x0 = x / 8 * 8, y0 = y / 4 * 4;
      const uint32_t width = std::min(8U, kWidth - x0), height = std::min(4U, kHeight - y0);
      const uint32_t other = (y0 + height - 1 - (y - y0)) * 100 + x0 + width - 1 - (x - x0);
      const uint32_t row = y0 + (y - y0 + 1) % height + 1000;
      ASSERT_EQ(out[y * kWidth + x], other + row * 10000 + x0) << x << ", " << y;
    }
  }
}

TEST(ThreadgroupMemory, may_be_declared_in_nested_scopes) {
  constexpr uint32_t kGroup = 32;
  constexpr uint32_t kThreads = kGroup * 5 + 11;
  std::vector<uint32_t> out(kThreads);
  run_kernel({.source = R"(
kernel void k(device uint* out, uint i [[thread_position_in_grid]],
              uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]],
              uint size [[threads_per_threadgroup]]) {
  uint r = 0;
  {
    threadgroup uint tile[32];
    tile[t] = i;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    r = tile[size - 1 - t];
  }
  if (g % 2 == 0) {
    threadgroup uint tile[32];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    tile[t] = i * 2;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    r += tile[0];
  } else {
    for (uint round = 0; round < 2; ++round) {
      threadgroup float tile[32];
      threadgroup_barrier(mem_flags::mem_threadgroup);
      tile[t] = float(i + round);
      threadgroup_barrier(mem_flags::mem_threadgroup);
      r += uint(tile[(t + 1) % size]);
    }
  }
  out[i] = r;
})",
              .grid = {kThreads, 1, 1},
              .threadgroup = {kGroup, 1, 1}},
             {buffer(out)});
  for (uint32_t i = 0; i < kThreads; ++i) {
    const uint32_t first = i / kGroup * kGroup;
    const uint32_t size = std::min(kGroup, kThreads - first);
    const uint32_t t = i - first;
    const uint32_t next = first + (t + 1) % size;
    const uint32_t extra = i / kGroup % 2 == 0 ? first * 2 : next + next + 1;
    ASSERT_EQ(out[i], first + size - 1 - t + extra) << i;
  }
}

TEST(ThreadgroupMemory, has_its_own_storage_per_function_and_instantiation) {
  constexpr uint32_t kGroup = 40;
  constexpr uint32_t kThreads = kGroup * 2 + 7;
  std::vector<uint32_t> out(kThreads * 4);
  run_kernel({.source = R"(
template <typename T, int N>
uint stored(uint t, uint v, bool write, uint size) {
  threadgroup T cells[N];
  if (write) cells[t] = T(v);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return uint(cells[(t + 1) % size]);
}
uint other(uint t, uint v, bool write) {
  threadgroup uint cells[40];
  if (write) cells[t] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return cells[t];
}
kernel void k(device uint* out, uint i [[thread_position_in_grid]],
              uint t [[thread_index_in_threadgroup]], uint size [[threads_per_threadgroup]]) {
  stored<uint, 40>(t, i, true, size);
  stored<ushort, 40>(t, i + 1000, true, size);
  stored<uint, 41>(t, i + 2000, true, size);
  other(t, i + 3000, true);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  bool has_next = t + 1 < size;
  uint a = stored<uint, 40>(t, 0, false, size), b = stored<ushort, 40>(t, 0, false, size);
  uint c = stored<uint, 41>(t, 0, false, size);
  out[4 * i] = has_next ? a : 0;
  out[4 * i + 1] = has_next ? b : 0;
  out[4 * i + 2] = has_next ? c : 0;
  out[4 * i + 3] = other(t, 0, false);
})",
              .grid = {kThreads, 1, 1},
              .threadgroup = {kGroup, 1, 1}},
             {buffer(out)});
  for (uint32_t i = 0; i < kThreads; ++i) {
    const bool has_next = i % kGroup + 1 < kGroup && i + 1 < kThreads;
    const std::vector<uint32_t> row(out.begin() + 4 * i, out.begin() + 4 * i + 4);
    const std::vector<uint32_t> expected = {has_next ? i + 1 : 0, has_next ? i + 1001 : 0,
                                            has_next ? i + 2001 : 0, i + 3000};
    ASSERT_EQ(row, expected) << i;
  }
}

TEST(ThreadgroupMemory, comes_from_the_host_in_several_slots) {
  // Three host-sized slots and one static array: none may overlap another.
  constexpr uint32_t kGroup = 48;
  for (uint32_t n : {1U, 31U, 48U, 49U, 257U}) {
    std::vector<float> out(n * 4);
    run_kernel({.source = R"(
kernel void k(device float* out, threadgroup float* a [[threadgroup(0)]],
              threadgroup char* raw [[threadgroup(1)]], threadgroup float4* c [[threadgroup(3)]],
              uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]],
              uint size [[threads_per_threadgroup]]) {
  threadgroup short fixed[48];
  threadgroup half* b = (threadgroup half*)raw;
  a[t] = i;
  b[t] = half(t) * 0.5h;
  c[t] = float4(i, 1, 2, t);
  fixed[t] = -short(t);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint r = size - 1 - t;
  out[4 * i] = a[r];
  out[4 * i + 1] = float(b[r]);
  out[4 * i + 2] = c[r].x + c[r].w * 1000;
  out[4 * i + 3] = fixed[r];
})",
                .grid = {n, 1, 1},
                .threadgroup = {kGroup, 1, 1}},
               {buffer(out), threadgroup_memory(kGroup * 4), threadgroup_memory(kGroup * 2),
                threadgroup_memory(kGroup * 16)});
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t first = i / kGroup * kGroup;
      const uint32_t r = std::min(kGroup, n - first) - 1 - (i - first);
      const float f = static_cast<float>(r);
      const std::vector<float> expected = {static_cast<float>(first + r), f * 0.5F,
                                           static_cast<float>(first + r) + f * 1000, -f};
      const std::vector<float> row(out.begin() + 4 * i, out.begin() + 4 * i + 4);
      ASSERT_EQ(row, expected) << n << " " << i;
    }
  }
}

TEST(ThreadgroupMemory, aligns_variables_to_their_types) {
  std::vector<uint32_t> misaligned(6, 99);
  run_kernel({.source = R"(
struct alignas(32) Wide { float v[8]; };
kernel void k(device uint* out, threadgroup uchar* small [[threadgroup(0)]],
              threadgroup float4* big [[threadgroup(1)]]) {
  threadgroup char a[3];
  threadgroup float4 b[2];
  threadgroup char c;
  threadgroup ulong d;
  threadgroup Wide e;
  a[0] = 1; b[0] = float4(1); c = 2; d = 3; e.v[0] = 4; small[0] = 5; big[0] = float4(6);
  out[0] = uint((ulong)&b[0] % 16);
  out[1] = uint((ulong)&d % 8);
  out[2] = uint((ulong)&e % 32);
  out[3] = uint((ulong)big % 16);
  out[4] = uint((ulong)&b[1] - (ulong)&b[0]);
  out[5] = uint(a[0] + c + int(d)) + uint(e.v[0] + b[0].x + big[0].x) + small[0];
})",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(misaligned), threadgroup_memory(7), threadgroup_memory(32)});
  EXPECT_EQ(misaligned, (std::vector<uint32_t>{0, 0, 0, 0, 16, 22}));
}

TEST(ThreadgroupMemory, holds_structs_and_is_reached_through_pointers_and_references) {
  constexpr uint32_t kThreads = 75;
  std::vector<int32_t> out(kThreads);
  run_kernel({.source = R"(
struct Entry { int key; float3 weight; short tags[3]; };
void fill(threadgroup Entry& e, int key) {
  e.key = key;
  e.weight = float3(key, key + 1, key + 2);
  for (int j = 0; j < 3; ++j) e.tags[j] = short(key * j);
}
int read(const threadgroup Entry* entries, uint at) {
  Entry e = entries[at];
  return e.key + int(e.weight.z) * 1000 + e.tags[2] * 1000000;
}
kernel void k(device int* out, uint i [[thread_position_in_grid]],
              uint t [[thread_index_in_threadgroup]], uint size [[threads_per_threadgroup]]) {
  threadgroup Entry entries[32];
  fill(entries[t], int(i));
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = read(&entries[0], (t * 7 + 1) % size);
})",
              .grid = {kThreads, 1, 1},
              .threadgroup = {32, 1, 1}},
             {buffer(out)});
  for (uint32_t i = 0; i < kThreads; ++i) {
    const uint32_t first = i / 32 * 32;
    const uint32_t size = std::min(32U, kThreads - first);
    const int key = static_cast<int>(first + ((i - first) * 7 + 1) % size);
    ASSERT_EQ(out[i], key + (key + 2) * 1000 + key * 2 * 1000000) << i;
  }
}

TEST(ThreadgroupMemory, may_fill_the_whole_limit) {
  constexpr uint32_t kWords = 32 * 1024 / 4;
  std::vector<uint32_t> out(3);
  run_kernel({.source = R"(
kernel void k(device uint* out, uint t [[thread_index_in_threadgroup]],
              uint g [[threadgroup_position_in_grid]]) {
  threadgroup uint all[8192];
  for (uint j = t; j < 8192; j += 64) all[j] = j + g;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint sum = 0;
  if (t == 0) {
    for (uint j = 0; j < 8192; ++j) sum += all[j];
    out[g] = sum;
  }
})",
              .grid = {3 * 64, 1, 1},
              .threadgroup = {64, 1, 1}},
             {buffer(out)});
  for (uint32_t g = 0; g < 3; ++g) EXPECT_EQ(out[g], kWords * (kWords - 1) / 2 + g * kWords);
}

}  // namespace
}  // namespace assay::testing
