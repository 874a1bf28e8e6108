// Metal 4 tensors: views of memory, tensors in the registers of simdgroups, and products of
// matrices with matmul2d, against plain loops.
#include <cmath>
#include <cstdint>
#include <numeric>

#include "tests/kernels/host_floats.h"
#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

const std::string kHeader = R"(
#include <MetalPerformancePrimitives/MetalPerformancePrimitives.h>
using namespace mpp::tensor_ops;
)";

// Small multiples of 1/4: sums of products of them are exact in float.
template <typename T>
std::vector<T> values(size_t n, uint32_t seed) {
  std::vector<T> out(n);
  for (size_t i = 0; i < n; ++i) {
    const uint32_t bits = (static_cast<uint32_t>(i) * 1103515245U + seed * 12345U + 7U) >> 9;
    if constexpr (std::is_integral_v<T>) {
      out[i] = static_cast<T>(bits);
    } else {
      out[i] = static_cast<T>(static_cast<float>(bits % 17) / 4.0F - 2.0F);
    }
  }
  return out;
}

struct Sizes {
  int32_t m;
  int32_t n;
  int32_t k;
};

// C += A * B with each operand transposed in memory or not.
template <typename A, typename B, typename C>
std::vector<C> product(const std::vector<A>& a, const std::vector<B>& b, std::vector<C> c,
                       const Sizes& sizes, bool transpose_a, bool transpose_b) {
  using Sum = std::conditional_t<std::is_integral_v<C>, int64_t, double>;
  auto at = [](auto value) {
    if constexpr (std::is_integral_v<decltype(value)>) return static_cast<Sum>(value);
    return static_cast<Sum>(static_cast<float>(value));
  };
  for (int32_t row = 0; row < sizes.m; ++row) {
    for (int32_t column = 0; column < sizes.n; ++column) {
      Sum sum = at(c[row * sizes.n + column]);
      for (int32_t k = 0; k < sizes.k; ++k) {
        sum += at(a[transpose_a ? k * sizes.m + row : row * sizes.k + k]) *
               at(b[transpose_b ? column * sizes.k + k : k * sizes.n + column]);
      }
      if constexpr (std::is_integral_v<C>) {
        c[row * sizes.n + column] = static_cast<C>(sum);
      } else {
        c[row * sizes.n + column] = static_cast<C>(static_cast<float>(sum));
      }
    }
  }
  return c;
}

template <typename T>
void expect_equal(const std::vector<T>& got, const std::vector<T>& expected,
                  const std::string& what) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(static_cast<float>(got[i]), static_cast<float>(expected[i])) << what << " at " << i;
  }
}

TEST(Tensor, is_a_view_with_extents_strides_and_slices) {
  std::vector<float> in(7 * 5);
  std::iota(in.begin(), in.end(), 0.0F);
  std::vector<int32_t> out(20, -1);
  run_kernel({.source = kHeader + R"(
kernel void k(device float* in, device int* out, uint thread_index [[thread_position_in_grid]]) {
  auto whole = tensor(in, dextents<int, 2>(7, 5));
  auto strided = tensor(in + 1, extents<int, dynamic_extent, 2>(3), array<int, 2>({2, 14}));
  auto part = whole.slice(2, 1);
  auto fixed = whole.slice<3, dynamic_extent>(4, 2).slice(1, 0);
  out[0] = whole.get_extent(0);
  out[1] = whole.get_extent(1);
  out[2] = whole.get_stride(1);
  out[3] = int(whole[array<int, 2>{3, 4}]);
  out[4] = int(strided[array<int, 2>{2, 1}]);
  out[5] = strided.get_extent(0);
  out[6] = strided.get_static_extent(1);
  out[7] = part.get_extent(0);
  out[8] = part.get_extent(1);
  out[9] = int(part[array<int, 2>{0, 0}]);
  out[10] = int(fixed[array<int, 2>{1, 1}]);
  out[11] = fixed.get_extent(0);
  part[array<int, 2>{1, 1}] = 1000;
  out[12] = int(in[17]);
  out[13] = int(whole.get_rank());
  threadgroup half tile[12];
  tensor<threadgroup half, extents<int, 4, 3>, tensor_inline> in_group(tile, extents<int, 4, 3>());
  in_group[array<int, 2>{3, 2}] = 5;
  out[14] = int(tile[11]);
  out[15] = in_group.get_stride(1);
})",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(in), buffer(out)});
  const std::vector<int32_t> expected = {7,  5, 7,    31, 19, 3, 2,  5,  4,  9,
                                         27, 2, 1000, 2,  5,  4, -1, -1, -1, -1};
  EXPECT_EQ(out, expected);
}

// One product over `groups` threadgroups, each with a tile of the result.
template <typename A, typename B, typename C>
void check_product(const std::string& types, const Sizes& sizes, int tile_m, int tile_n, int tile_k,
                   int simdgroups, bool transpose_a, bool transpose_b, bool accumulates,
                   const std::string& body) {
  std::vector<A> a = values<A>(static_cast<size_t>(sizes.m) * sizes.k, 1);
  std::vector<B> b = values<B>(static_cast<size_t>(sizes.k) * sizes.n, 2);
  std::vector<C> c = values<C>(static_cast<size_t>(sizes.m) * sizes.n, 3);
  std::vector<C> start = accumulates ? c : std::vector<C>(c.size(), static_cast<C>(0));
  const std::vector<C> expected = product(a, b, start, sizes, transpose_a, transpose_b);
  const auto across = static_cast<uint32_t>((sizes.n + tile_n - 1) / tile_n);
  const auto down = static_cast<uint32_t>((sizes.m + tile_m - 1) / tile_m);
  const auto threads = static_cast<uint32_t>(simdgroups * 32);
  auto flag = [](bool is_set) { return is_set ? "true" : "false"; };
  const std::string depth =
      tile_k == 0 ? "static_cast<int>(dynamic_extent)" : std::to_string(tile_k);
  run_kernel({.source = kHeader + types + R"(
struct Sizes { int m, n, k; };
kernel void k(device A* a, device B* b, device C* c, constant Sizes& s,
              uint3 group [[threadgroup_position_in_grid]]) {
  constexpr int M = )" + std::to_string(tile_m) +
                        ", N = " + std::to_string(tile_n) + ", K = " + depth + R"(;
  tensor<device A, dextents<int, 2>, tensor_inline> ta(a, TA ? dextents<int, 2>(s.m, s.k)
                                                             : dextents<int, 2>(s.k, s.m));
  tensor<device B, dextents<int, 2>, tensor_inline> tb(b, TB ? dextents<int, 2>(s.k, s.n)
                                                             : dextents<int, 2>(s.n, s.k));
  tensor<device C, dextents<int, 2>, tensor_inline> tc(c, dextents<int, 2>(s.n, s.m));
  const int m0 = group.y * M, n0 = group.x * N;
  constexpr auto desc = matmul2d_descriptor(
      M, N, K, TA, TB, false,
      ACCUMULATES ? matmul2d_descriptor::mode::multiply_accumulate
                  : matmul2d_descriptor::mode::multiply);
  matmul2d<desc, execution_simdgroups<SIMDGROUPS>> op;
)" + body + "}\n",
              .grid = {across * threads, down, 1},
              .threadgroup = {threads, 1, 1},
              .defines = {{"TA", flag(transpose_a)},
                          {"TB", flag(transpose_b)},
                          {"ACCUMULATES", flag(accumulates)},
                          {"SIMDGROUPS", std::to_string(simdgroups)}}},
             {buffer(a), buffer(b), buffer(c), value(sizes)});
  expect_equal(c, expected,
               types + std::to_string(sizes.m) + "x" + std::to_string(sizes.n) + "x" +
                   std::to_string(sizes.k) + (transpose_a ? " T" : " N") +
                   (transpose_b ? "T" : "N") + " over " + std::to_string(simdgroups));
}

const std::string kFloats = "typedef float A; typedef float B; typedef float C;\n";

const std::string kToMemory = R"(
  auto left = TA ? ta.slice(m0, 0) : ta.slice(0, m0);
  auto right = TB ? tb.slice(0, n0) : tb.slice(n0, 0);
  auto result = tc.slice(n0, m0);
  op.run(left, right, result);
)";

TEST(Tensor, products_in_memory_have_any_size_orientation_and_number_of_simdgroups) {
  for (const Sizes& sizes : {Sizes{1, 1, 1}, Sizes{16, 32, 16}, Sizes{37, 53, 29}}) {
    for (int transposes = 0; transposes < 4; ++transposes) {
      check_product<float, float, float>(kFloats, sizes, 32, 32, 0, 4, (transposes & 1) != 0,
                                         (transposes & 2) != 0, transposes == 2, kToMemory);
    }
  }
  check_product<float, float, float>(kFloats, {37, 53, 29}, 32, 32, 0, 1, false, false, false,
                                     kToMemory);
  check_product<float, float, float>(kFloats, {70, 131, 67}, 64, 64, 0, 2, false, true, true,
                                     kToMemory);
  // Tiles that are no multiple of a fragment, and fewer fragments than simdgroups.
  check_product<float, float, float>(kFloats, {41, 23, 19}, 24, 8, 0, 4, false, false, false,
                                     kToMemory);
}

TEST(Tensor, products_take_steps_along_the_inner_dimension) {
  const std::string steps = R"(
  for (int k0 = 0; k0 < s.k; k0 += K) {
    auto left = ta.slice<K, M>(k0, m0);
    auto right = tb.slice<N, K>(n0, k0);
    auto result = tc.slice(n0, m0);
    op.run(left, right, result);
  }
)";
  check_product<float, float, float>(kFloats, {64, 96, 48}, 32, 32, 16, 4, false, false, true,
                                     steps);
}

TEST(Tensor, products_have_all_element_types) {
  const Sizes sizes{33, 40, 21};
  check_product<Half, Half, float>("typedef half A; typedef half B; typedef float C;\n", sizes, 32,
                                   16, 0, 1, false, true, false, kToMemory);
  check_product<Half, Half, Half>("typedef half A; typedef half B; typedef half C;\n", sizes, 32,
                                  16, 0, 1, true, false, true, kToMemory);
  check_product<Bfloat, Bfloat, float>("typedef bfloat A; typedef bfloat B; typedef float C;\n",
                                       sizes, 16, 16, 0, 1, false, false, true, kToMemory);
  check_product<Half, int8_t, float>("typedef half A; typedef int8_t B; typedef float C;\n", sizes,
                                     16, 16, 0, 1, false, false, false, kToMemory);
  // Sums past what float holds exactly.
  check_product<int8_t, int8_t, int32_t>("typedef int8_t A; typedef int8_t B; typedef int32_t C;\n",
                                         {17, 19, 2100}, 16, 16, 0, 1, false, true, true,
                                         kToMemory);
  check_product<uint8_t, uint8_t, int32_t>(
      "typedef uint8_t A; typedef uint8_t B; typedef int32_t C;\n", {16, 16, 1000}, 16, 16, 0, 1,
      false, false, false, kToMemory);
}

TEST(Tensor, destinations_in_registers_know_where_their_elements_belong) {
  // Each thread writes its elements itself, by index or through an iterator.
  const std::string by_index = R"(
  auto left = ta.slice(0, m0);
  auto right = tb.slice(n0, 0);
  auto sums = op.get_destination_cooperative_tensor<decltype(left), decltype(right), float>();
  for (ushort i = 0; i < sums.get_capacity(); ++i) {
    auto at = sums.get_multidimensional_index(i);
    bool is_inside = n0 + at[0] < s.n && m0 + at[1] < s.m;
    if (sums.is_valid_element(i)) sums[i] = is_inside ? c[(m0 + at[1]) * s.n + n0 + at[0]] : 0;
  }
  op.run(left, right, sums);
  ushort i = 0;
  for (auto it = sums.begin(); it != sums.end(); ++it) {
    auto at = it.get_multidimensional_index();
    if (sums.is_valid_element(i++) && n0 + at[0] < s.n && m0 + at[1] < s.m)
      c[(m0 + at[1]) * s.n + n0 + at[0]] = *it;
  }
)";
  // Or the tensor does.
  const std::string whole = R"(
  auto left = ta.slice(0, m0);
  auto right = tb.slice(n0, 0);
  auto sums = op.get_destination_cooperative_tensor<decltype(left), decltype(right), float>();
  sums.load(tc.slice(n0, m0));
  op.run(left, right, sums);
  sums.store(tc.slice(n0, m0));
)";
  check_product<float, float, float>(kFloats, {61, 90, 33}, 32, 48, 0, 1, false, false, true,
                                     by_index);
  check_product<float, float, float>(kFloats, {61, 90, 33}, 32, 48, 0, 4, false, false, true,
                                     whole);
  for (const std::string& body : {by_index, whole}) {
    check_product<float, float, float>(kFloats, {40, 40, 17}, 20, 24, 0, 2, false, false, true,
                                       body);
  }
}

TEST(Tensor, operands_in_registers_multiply_in_every_orientation) {
  const std::string body = R"(
  auto left = op.get_left_input_cooperative_tensor<A, B, float>();
  auto right = op.get_right_input_cooperative_tensor<A, B, float>();
  auto sums = op.get_destination_cooperative_tensor<decltype(left), decltype(right), float>();
  sums.load(tc.slice(n0, m0));
  for (int k0 = 0; k0 < s.k; k0 += K) {
    left.load(TA ? ta.slice(m0, k0) : ta.slice(k0, m0));
    right.load(TB ? tb.slice(k0, n0) : tb.slice(n0, k0));
    op.run(left, right, sums);
  }
  sums.store(tc.slice(n0, m0));
)";
  const std::string halves = "typedef half A; typedef half B; typedef float C;\n";
  const Sizes odd{19, 37, 39};
  check_product<float, float, float>(kFloats, odd, 16, 16, 16, 1, false, false, true, body);
  check_product<float, float, float>(kFloats, odd, 16, 16, 16, 1, true, true, true, body);
  check_product<Half, Half, float>(halves, odd, 16, 16, 16, 1, false, true, true, body);
  check_product<float, float, float>(kFloats, {35, 19, 40}, 32, 16, 24, 1, true, false, true, body);
}

TEST(Tensor, registers_have_the_layout_of_matrix_units) {
  std::vector<int32_t> out(32 * 16 * 2);
  run_kernel({.source = kHeader + R"(
kernel void k(device int* out, uint lane [[thread_index_in_simdgroup]]) {
  matmul2d<matmul2d_descriptor(16, 32, 16), execution_simdgroup> op;
  auto left = op.get_left_input_cooperative_tensor<half, half, float>();
  auto right = op.get_right_input_cooperative_tensor<half, half, float>();
  auto sums = op.get_destination_cooperative_tensor<decltype(left), decltype(right), float>();
  static_assert(left.get_capacity() == 8 && right.get_capacity() == 16, "two fragments");
  for (int i = 0; i < sums.get_capacity(); ++i) {
    out[(lane * 16 + i) * 2] = sums.get_multidimensional_index(i)[0];
    out[(lane * 16 + i) * 2 + 1] = sums.get_multidimensional_index(i)[1];
  }
})",
              .grid = {32, 1, 1},
              .threadgroup = {32, 1, 1}},
             {buffer(out)});
  for (int32_t lane = 0; lane < 32; ++lane) {
    for (int32_t i = 0; i < 16; ++i) {
      const int32_t column = i / 8 * 16 + (lane / 8 % 2 * 2 + lane % 2) * 4 + i % 4;
      const int32_t row = lane / 16 * 4 + lane / 2 % 4 + i / 4 % 2 * 8;
      EXPECT_EQ(out[(lane * 16 + i) * 2], column) << lane << " " << i;
      EXPECT_EQ(out[(lane * 16 + i) * 2 + 1], row) << lane << " " << i;
    }
  }
}

TEST(Tensor, reductions_give_each_row_and_column_one_value) {
  constexpr int kRows = 24;
  constexpr int kColumns = 40;
  std::vector<float> in = values<float>(kRows * kColumns, 5);
  std::vector<float> scaled(in.size());
  std::vector<float> row_max(kRows);
  std::vector<float> column_sum(kColumns);
  run_kernel({.source = kHeader + R"(
kernel void k(device float* in, device float* scaled, device float* row_max,
              device float* column_sum) {
  constexpr auto desc = matmul2d_descriptor(24, 40, 16);
  matmul2d<desc, execution_simdgroup> op;
  typedef tensor<device float, dextents<int, 2>, tensor_inline> matrix_t;
  auto matrix = op.get_destination_cooperative_tensor<matrix_t, matrix_t, float>();
  auto rows = op.get_row_reduction_destination_cooperative_tensor<matrix_t, matrix_t, float>();
  auto columns =
      op.get_column_reduction_destination_cooperative_tensor<matrix_t, matrix_t, float>();
  matrix.load(matrix_t(in, dextents<int, 2>(40, 24)));
  reduce_rows(matrix, rows, reduction_operation::max,
              reduction_operation_identity<float>::max_identity);
  reduce_columns(matrix, columns);
  if (is_iterator_compatible(matrix, rows)) {
    for (auto it = matrix.begin(); it != matrix.end(); it++) *it -= *rows.map_iterator(it);
  }
  matrix.store(matrix_t(scaled, dextents<int, 2>(40, 24)));
  rows.store(tensor(row_max, dextents<int, 1>(24)));
  columns.store(tensor(column_sum, dextents<int, 1>(40)));
})",
              .grid = {32, 1, 1},
              .threadgroup = {32, 1, 1}},
             {buffer(in), buffer(scaled), buffer(row_max), buffer(column_sum)});
  for (int row = 0; row < kRows; ++row) {
    const float largest =
        *std::max_element(in.begin() + row * kColumns, in.begin() + (row + 1) * kColumns);
    EXPECT_EQ(row_max[row], largest) << row;
    for (int column = 0; column < kColumns; ++column) {
      EXPECT_EQ(scaled[row * kColumns + column], in[row * kColumns + column] - largest);
    }
  }
  for (int column = 0; column < kColumns; ++column) {
    float sum = 0;
    for (int row = 0; row < kRows; ++row) sum += in[row * kColumns + column];
    EXPECT_EQ(column_sum[column], sum) << column;
  }
}

TEST(Tensor, a_product_becomes_the_operand_of_the_next) {
  std::vector<float> a = values<float>(256, 1);
  std::vector<float> b = values<float>(256, 2);
  std::vector<float> c(256);
  run_kernel({.source = kHeader + R"(
kernel void k(device float* a, device float* b, device float* c) {
  matmul2d<matmul2d_descriptor(16, 16, 16), execution_simdgroup> op;
  auto ta = tensor(a, extents<int, 16, 16>());
  auto tb = tensor(b, extents<int, 16, 16>());
  auto tc = tensor(c, extents<int, 16, 16>());
  auto first = op.get_destination_cooperative_tensor<decltype(ta), decltype(tb), float>();
  op.run(ta, tb, first);
  if (op.is_compatible_as_left_input<float, float, float>(first)) {
    auto left = op.get_left_input_cooperative_tensor<float, float, float>(first);
    op.run(left, tb, tc);
  }
})",
              .grid = {32, 1, 1},
              .threadgroup = {32, 1, 1}},
             {buffer(a), buffer(b), buffer(c)});
  const Sizes sizes{16, 16, 16};
  const std::vector<float> zeros(256);
  const std::vector<float> first = product(a, b, zeros, sizes, false, false);
  expect_equal(c, product(first, b, zeros, sizes, false, false), "(a * b) * b");
}

TEST(Tensor, a_thread_multiplies_alone) {
  constexpr uint32_t kThreads = 37;
  std::vector<float> a = values<float>(kThreads * 15, 1);
  std::vector<float> b = values<float>(kThreads * 10, 2);
  std::vector<float> c = values<float>(kThreads * 6, 3);
  std::vector<float> expected = c;
  run_kernel({.source = kHeader + R"(
kernel void k(device float* a, device float* b, device float* c, uint i [[thread_position_in_grid]]) {
  constexpr auto desc = matmul2d_descriptor(3, 2, 5, false, false, false,
                                            matmul2d_descriptor::mode::multiply_accumulate);
  matmul2d<desc, execution_thread> op;
  auto left = tensor(a + i * 15, dextents<int, 2>(5, 3));
  auto right = tensor(b + i * 10, dextents<int, 2>(2, 5));
  auto result = tensor(c + i * 6, dextents<int, 2>(2, 3));
  op.run(left, right, result);
})",
              .grid = {kThreads, 1, 1},
              .threadgroup = {32, 1, 1}},
             {buffer(a), buffer(b), buffer(c)});
  for (uint32_t i = 0; i < kThreads; ++i) {
    auto part = [&](const std::vector<float>& of, uint32_t size) {
      return std::vector<float>(of.begin() + i * size, of.begin() + (i + 1) * size);
    };
    expect_equal(part(c, 6),
                 product(part(a, 15), part(b, 10), part(expected, 6), {3, 2, 5}, false, false),
                 "thread " + std::to_string(i));
  }
}

TEST(Tensor, elements_of_four_bits_are_unpacked) {
  const Sizes sizes{16, 32, 64};
  std::vector<Half> a = values<Half>(16 * 64, 1);
  std::vector<uint8_t> packed = values<uint8_t>(32 * 64 / 2, 2);
  std::vector<float> of_signed(16 * 32);
  std::vector<float> of_unsigned(16 * 32);
  run_kernel({.source = kHeader + R"(
template <typename Format>
void multiply(device half* a, device uchar* packed, device float* c) {
  matmul2d<matmul2d_descriptor(16, 32, 64, false, true), execution_simdgroup> op;
  auto left = tensor(a, dextents<int, 2>(64, 16));
  tensor<device Format, dextents<int, 2>, tensor_inline> right(packed, dextents<int, 2>(64, 32));
  auto result = tensor(c, dextents<int, 2>(32, 16));
  op.run(left, right, result);
}
kernel void k(device half* a, device uchar* packed, device float* of_signed,
              device float* of_unsigned) {
  multiply<int4b_format>(a, packed, of_signed);
  multiply<uint4b_format>(a, packed, of_unsigned);
})",
              .grid = {32, 1, 1},
              .threadgroup = {32, 1, 1}},
             {buffer(a), buffer(packed), buffer(of_signed), buffer(of_unsigned)});
  std::vector<int8_t> plain(32 * 64);
  for (bool is_signed : {true, false}) {
    for (size_t i = 0; i < plain.size(); ++i) {
      const int bits = packed[i / 2] >> (i % 2 * 4) & 15;
      plain[i] = static_cast<int8_t>(is_signed && bits > 7 ? bits - 16 : bits);
    }
    expect_equal(is_signed ? of_signed : of_unsigned,
                 product(a, plain, std::vector<float>(16 * 32), sizes, false, true),
                 is_signed ? "signed" : "unsigned");
  }
}

std::string error_of(const std::string& source) {
  std::vector<KernelArgument> arguments;
  return try_kernel({.source = source, .grid = {32, 1, 1}, .threadgroup = {32, 1, 1}}, arguments);
}

TEST(Tensor, what_is_not_supported_says_so) {
  EXPECT_NE(error_of(kHeader + "kernel void k(tensor<device half, dextents<int, 2>> a) {}")
                .find("make a tensor_inline of it"),
            std::string::npos);
  EXPECT_NE(error_of(kHeader + "kernel void k() { convolution2d<int> op; }")
                .find("convolutions of tensors (convolution2d) are not supported by assay"),
            std::string::npos);
  EXPECT_NE(error_of(kHeader + R"(
kernel void k() {
  matmul2d<matmul2d_descriptor(16, 16, 16), execution_simdgroups<2>> op;
  auto left = op.get_left_input_cooperative_tensor<float, float, float>();
  auto right = op.get_right_input_cooperative_tensor<float, float, float>();
  auto sums = op.get_destination_cooperative_tensor<decltype(left), decltype(right), float>();
  op.run(left, right, sums);
})")
                .find("operands in registers belong to one simdgroup (execution_simdgroup)"),
            std::string::npos);
}

TEST(Tensor, kernels_may_have_types_of_their_own_by_these_names) {
  std::vector<float> out(1);
  run_kernel({.source = R"(
template <typename T, uint N> struct tensor { device T* data; uint sizes[N]; };
struct extents { uint rows; };
kernel void k(device float* out) {
  tensor<float, 2> t = {out, {3, 4}};
  extents e = {5};
  t.data[0] = t.sizes[1] * e.rows;
})",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(out)});
  EXPECT_EQ(out[0], 20.0F);
}

}  // namespace
}  // namespace assay::testing
