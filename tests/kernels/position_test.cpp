// Every thread attribute, as parameter and as variable of program scope, as uint and ushort, scalar
// and vector, on grids whose last groups are partial along each axis.
#include <array>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

using kernel::Size3;

// V is the type of position-like attributes, S of the scalar ones.
constexpr const char* kWriter = R"(
struct Writer {
  device uint* at;
  void put(uint v) thread { *at++ = v; }
  void put(ushort v) thread { *at++ = v; }
  template <typename T> void put(vec<T, 2> v) thread { put(v.x); put(v.y); }
  template <typename T> void put(vec<T, 3> v) thread { put(v.x); put(v.y); put(v.z); }
};
uint flat(uint i, uint) { return i; }
uint flat(ushort i, ushort) { return i; }
template <typename T> uint flat(vec<T, 2> i, vec<T, 2> n) { return i.x + uint(n.x) * i.y; }
template <typename T> uint flat(vec<T, 3> i, vec<T, 3> n) {
  return i.x + uint(n.x) * (i.y + uint(n.y) * i.z);
}
)";

constexpr const char* kPuts = R"(
  w.put(position_in_grid); w.put(position_in_group); w.put(group); w.put(grid);
  w.put(group_threads); w.put(groups); w.put(dispatch_threads); w.put(origin); w.put(size);
  w.put(index); w.put(lane); w.put(simdgroup); w.put(simdgroups); w.put(dispatch_simdgroups);
  w.put(simd_threads); w.put(width); w.put(quad_lane); w.put(quad); w.put(quads);
  w.put(dispatch_quads);
)";

constexpr const char* kAttributes[] = {
    "V position_in_grid [[thread_position_in_grid]]",
    "V position_in_group [[thread_position_in_threadgroup]]",
    "V group [[threadgroup_position_in_grid]]",
    "V grid [[threads_per_grid]]",
    "V group_threads [[threads_per_threadgroup]]",
    "V groups [[threadgroups_per_grid]]",
    "V dispatch_threads [[dispatch_threads_per_threadgroup]]",
    "V origin [[grid_origin]]",
    "V size [[grid_size]]",
    "S index [[thread_index_in_threadgroup]]",
    "S lane [[thread_index_in_simdgroup]]",
    "S simdgroup [[simdgroup_index_in_threadgroup]]",
    "S simdgroups [[simdgroups_per_threadgroup]]",
    "S dispatch_simdgroups [[dispatch_simdgroups_per_threadgroup]]",
    "S simd_threads [[threads_per_simdgroup]]",
    "S width [[thread_execution_width]]",
    "S quad_lane [[thread_index_in_quadgroup]]",
    "S quad [[quadgroup_index_in_threadgroup]]",
    "S quads [[quadgroups_per_threadgroup]]",
    "S dispatch_quads [[dispatch_quadgroups_per_threadgroup]]"};

std::string source_with_parameters() {
  std::string parameters = "device uint* out, constant uint& fields";
  for (const char* attribute : kAttributes) parameters += std::string(", ") + attribute;
  return std::string(kWriter) + "kernel void k(" + parameters +
         ") {\n  Writer w{out + fields * flat(position_in_grid, grid)};\n" + kPuts + "}\n";
}

// As variables of a namespace, which the kernel and a function that it calls read.
std::string source_with_variables() {
  std::string variables;
  for (const char* attribute : kAttributes) {
    variables += std::string("const ") + attribute + ";\n";
  }
  return std::string(kWriter) + "namespace thread_facts {\n" + variables +
         "}\nusing namespace thread_facts;\n"
         "void put_all(thread Writer& w) {" +
         kPuts +
         "}\nkernel void k(device uint* out, constant uint& fields) {\n"
         "  Writer w{out + fields * flat(position_in_grid, grid)};\n  put_all(w);\n}\n";
}

constexpr uint32_t kVectorFields = 9;
constexpr uint32_t kScalarFields = 11;

uint32_t divide_up(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

void put(std::vector<uint32_t>& out, uint32_t dimensions, const Size3& v) {
  const uint32_t all[3] = {v.x, v.y, v.z};
  out.insert(out.end(), all, all + dimensions);
}

Size3 part_at(const Size3& group, const Size3& grid, const Size3& threads) {
  return {std::min(threads.x, grid.x - group.x * threads.x),
          std::min(threads.y, grid.y - group.y * threads.y),
          std::min(threads.z, grid.z - group.z * threads.z)};
}

std::vector<uint32_t> expected_attributes(uint32_t dimensions, Size3 grid, Size3 threads) {
  std::vector<uint32_t> out;
  const Size3 groups{divide_up(grid.x, threads.x), divide_up(grid.y, threads.y),
                     divide_up(grid.z, threads.z)};
  const auto requested = static_cast<uint32_t>(threads.count());
  for (uint32_t z = 0; z < grid.z; ++z) {
    for (uint32_t y = 0; y < grid.y; ++y) {
      for (uint32_t x = 0; x < grid.x; ++x) {
        const Size3 group{x / threads.x, y / threads.y, z / threads.z};
        const Size3 in_group{x % threads.x, y % threads.y, z % threads.z};
        const Size3 part = part_at(group, grid, threads);
        const uint32_t index = in_group.x + part.x * (in_group.y + part.y * in_group.z);
        const auto actual = static_cast<uint32_t>(part.count());
        for (const Size3& v :
             {Size3{x, y, z}, in_group, group, grid, part, groups, threads, Size3{0, 0, 0}, grid}) {
          put(out, dimensions, v);
        }
        for (uint32_t v :
             {index, index % 32, index / 32, divide_up(actual, 32), divide_up(requested, 32), 32U,
              32U, index % 4, index / 4, divide_up(actual, 4), divide_up(requested, 4)}) {
          out.push_back(v);
        }
      }
    }
  }
  return out;
}

void check(uint32_t dimensions, const std::string& scalar, Size3 grid, Size3 threads) {
  const std::string vector = dimensions == 1 ? scalar : scalar + std::to_string(dimensions);
  const uint32_t fields = dimensions * kVectorFields + kScalarFields;
  for (const std::string& source : {source_with_parameters(), source_with_variables()}) {
    std::vector<uint32_t> out(grid.count() * fields, 0xdeadbeef);
    run_kernel({.source = source,
                .grid = grid,
                .threadgroup = threads,
                .defines = {{"V", vector}, {"S", scalar}}},
               {buffer(out), value(fields)});
    EXPECT_EQ(out, expected_attributes(dimensions, grid, threads))
        << vector << " grid " << grid.x << "x" << grid.y << "x" << grid.z << source;
  }
}

TEST(Position, gives_scalar_attributes_on_1d_grids) {
  for (const char* scalar : {"uint", "ushort"}) {
    for (uint32_t n : kOddSizes) check(1, scalar, {n, 1, 1}, {64, 1, 1});
    check(1, scalar, {211, 1, 1}, {97, 1, 1});
    check(1, scalar, {5, 1, 1}, {1024, 1, 1});
  }
}

TEST(Position, gives_two_component_attributes_on_2d_grids) {
  for (const char* scalar : {"uint", "ushort"}) {
    check(2, scalar, {1, 1, 1}, {8, 8, 1});
    check(2, scalar, {37, 19, 1}, {16, 4, 1});
    check(2, scalar, {3, 101, 1}, {2, 33, 1});
    check(2, scalar, {65, 7, 1}, {32, 32, 1});
  }
}

TEST(Position, gives_three_component_attributes_on_3d_grids) {
  for (const char* scalar : {"uint", "ushort"}) {
    check(3, scalar, {13, 7, 5}, {5, 3, 2});
    check(3, scalar, {1, 3, 67}, {1, 2, 32});
    check(3, scalar, {17, 9, 3}, {8, 8, 8});
    check(3, scalar, {257, 1, 1}, {64, 1, 1});
  }
}

TEST(Position, lets_kernels_leave_out_or_cast_attributes) {
  // Positions used as signed numbers and narrower types, with no other attribute declared.
  constexpr uint32_t kWidth = 29;
  constexpr uint32_t kHeight = 11;
  std::vector<int32_t> out(kWidth * kHeight, -1);
  run_kernel({.source = R"(
kernel void k(device int* out, constant uint2& size, uint2 p [[thread_position_in_grid]]) {
  int2 centred = int2(p) - int2(size) / 2;
  out[p.y * size.x + p.x] = centred.x * 100 + centred.y;
})",
              .grid = {kWidth, kHeight, 1},
              .threadgroup = {8, 4, 1}},
             {buffer(out), value(std::array<uint32_t, 2>{kWidth, kHeight})});
  std::vector<int32_t> expected;
  for (int y = 0; y < static_cast<int>(kHeight); ++y) {
    for (int x = 0; x < static_cast<int>(kWidth); ++x) {
      expected.push_back((x - static_cast<int>(kWidth) / 2) * 100 + y -
                         static_cast<int>(kHeight) / 2);
    }
  }
  EXPECT_EQ(out, expected);
}

TEST(Position, gives_each_kernel_the_program_scope_attributes_it_uses) {
  // Through a template, a method, a function that two kernels share, and across a barrier; two
  // kernels, one of which also has a parameter with the variable's name.
  const std::string source = R"(
[[thread_position_in_grid]] static uint2 place;
uint lane [[thread_index_in_simdgroup]], index [[thread_index_in_threadgroup]];
const ushort unused [[threads_per_simdgroup]];
uint row() { return place.y; }
template <typename T> T column(T offset) { return T(place.x) + offset; }
struct Cell {
  uint width;
  uint offset() const thread { return row() * width + column(0u); }
};
kernel void k(device uint* out, constant uint& width, constant uint& height) {
  threadgroup uint shared_values[64];
  shared_values[index] = lane + 1000 * index;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (place.x >= width || row() >= height) return;
  Cell cell{width};
  out[cell.offset()] = shared_values[index] + (index == 63 ? 5 : 0);
}
kernel void other(device uint* out, constant uint& width, uint lane [[thread_position_in_grid]]) {
  out[lane] = lane < width ? lane + column(7u) : 0;
})";
  constexpr uint32_t kWidth = 21;
  constexpr uint32_t kHeight = 19;
  std::vector<uint32_t> out(kWidth * kHeight, 0);
  run_kernel({.source = source, .grid = {24, 24, 1}, .threadgroup = {8, 8, 1}},
             {buffer(out), value(kWidth), value(kHeight)});
  for (uint32_t y = 0; y < kHeight; ++y) {
    for (uint32_t x = 0; x < kWidth; ++x) {
      const uint32_t index = y % 8 * 8 + x % 8;
      ASSERT_EQ(out[y * kWidth + x], index % 32 + 1000 * index + (index == 63 ? 5 : 0));
    }
  }
  std::vector<uint32_t> line(kWidth, 0);
  run_kernel(
      {.source = source, .kernel = "other", .grid = {kWidth, 1, 1}, .threadgroup = {7, 1, 1}},
      {buffer(line), value(kWidth)});
  for (uint32_t x = 0; x < kWidth; ++x) EXPECT_EQ(line[x], 2 * x + 7);
}

TEST(Position, tells_of_functions_called_through_pointers_that_use_program_scope_attributes) {
  std::vector<float> out(3);
  std::vector<KernelArgument> arguments = {buffer(out)};
  const std::string error = try_kernel({.source = R"(
uint index [[thread_position_in_grid]];
float twice(float x) { return 2 * x; }
float shifted(float x) { return x + index; }
kernel void k(device float* out) {
  float (*f)(float) = out[0] > 0 ? twice : shifted;
  out[1] = f(out[2]);
})",
                                        .grid = {1, 1, 1},
                                        .threadgroup = {1, 1, 1}},
                                       arguments);
  EXPECT_NE(error.find("'shifted(float)' uses a thread attribute of program scope, but is called "
                       "through a pointer"),
            std::string::npos)
      << error;
}

TEST(Position, runs_each_thread_of_many_groups_once) {
  // More groups than workers and more than 16 bits of threads: nothing may be skipped or run twice.
  constexpr uint32_t kThreads = 70001;
  std::vector<uint32_t> runs(kThreads, 0);
  run_kernel({.source = "kernel void k(device uint* runs, uint i [[thread_position_in_grid]]) {\n"
                        "  runs[i] += i + 1;\n}",
              .grid = {kThreads, 1, 1},
              .threadgroup = {33, 1, 1}},
             {buffer(runs)});
  for (uint32_t i = 0; i < kThreads; ++i) ASSERT_EQ(runs[i], i + 1);
}

}  // namespace
}  // namespace assay::testing
