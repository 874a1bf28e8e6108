// The cases of `assay demo`. Sizes are odd where the kernel allows it: edges are where kernels go
// wrong. References compute in double.
#include <algorithm>
#include <bit>
#include <numeric>

#include "cli/demo/demo_case.h"
#include "cli/demo/demo_data.h"
#include "cli/scalar_type.h"

namespace assay::cli {
namespace {

using device::Bindings;
using kernel::LaunchSize;

uint32_t as_size(size_t size) { return static_cast<uint32_t>(size); }

Result<PreparedCase> prepare_axpy(device::Device& device) {
  constexpr size_t kCount = 1'000'003;
  constexpr float kFactor = 1.5f;
  DemoMemory memory(device);
  const auto x = memory.zeros<float>(kCount, "x"), y = memory.zeros<float>(kCount, "y");
  if (!memory.ok()) return memory.error();
  fill_random(x, -1, 1);
  std::ranges::fill(y.values(), 0.25f);
  return PreparedCase{.bindings = Bindings()
                                      .buffer(0, x.buffer)
                                      .buffer(1, y.buffer)
                                      .value(2, kFactor)
                                      .value(3, as_size(kCount)),
                      .size = LaunchSize::threads({as_size(kCount)}, {256}),
                      .elements = kCount,
                      .traffic_bytes = 3 * sizeof(float) * kCount,
                      .check = [x, y] {
                        for (size_t i = 0; i < kCount; ++i) {
                          if (y[i] != std::fma(kFactor, x[i], 0.25f)) return false;
                        }
                        return true;
                      }};
}

Result<PreparedCase> prepare_chain(device::Device& device) {
  constexpr size_t kCount = 500'009;
  DemoMemory memory(device);
  const auto x = memory.zeros<float>(kCount, "x"), result = memory.zeros<float>(kCount, "result");
  if (!memory.ok()) return memory.error();
  fill_random(x, -10, 10);
  return PreparedCase{.bindings = Bindings().buffer(0, x.buffer).buffer(1, result.buffer),
                      .size = LaunchSize::threads({as_size(kCount)}, {256}),
                      .elements = kCount,
                      .traffic_bytes = 2 * sizeof(float) * kCount,
                      .check = [x, result] {
                        const Tolerance tolerance{.relative = 2e-6, .absolute = 5e-7};
                        for (size_t i = 0; i < kCount; ++i) {
                          const double expected =
                              std::log(std::exp(std::cos(std::sin(double{x[i]}))));
                          if (!tolerance.accepts(result[i], expected)) return false;
                        }
                        return true;
                      }};
}

Result<PreparedCase> prepare_row_sum(device::Device& device) {
  constexpr size_t kRows = 257, kColumns = 1999;
  DemoMemory memory(device);
  const auto matrix = memory.zeros<float>(kRows * kColumns, "matrix");
  const auto sums = memory.zeros<float>(kRows, "sums");
  if (!memory.ok()) return memory.error();
  fill_random(matrix, 0, 1);
  return PreparedCase{
      .bindings =
          Bindings().buffer(0, matrix.buffer).buffer(1, sums.buffer).value(2, as_size(kColumns)),
      .size = LaunchSize::threadgroups({as_size(kRows)}, {256}),
      .elements = kRows * kColumns,
      .traffic_bytes = sizeof(float) * (kRows * kColumns + kRows),
      .check = [matrix, sums] {
        for (size_t row = 0; row < kRows; ++row) {
          const auto values = matrix.values().subspan(row * kColumns, kColumns);
          const double expected = std::accumulate(values.begin(), values.end(), 0.0);
          if (!Tolerance{.relative = 1e-5}.accepts(sums[row], expected)) return false;
        }
        return true;
      }};
}

Result<PreparedCase> prepare_rms_norm(device::Device& device) {
  constexpr size_t kRows = 129, kColumns = 2051;
  constexpr float kEpsilon = 1e-5f;
  DemoMemory memory(device);
  const auto x = memory.zeros<float>(kRows * kColumns, "x");
  const auto weight = memory.zeros<float>(kColumns, "weight");
  const auto result = memory.zeros<float>(kRows * kColumns, "result");
  if (!memory.ok()) return memory.error();
  fill_random(x, -2, 2);
  fill_random(weight, 0.5f, 1.5f);
  return PreparedCase{.bindings = Bindings()
                                      .buffer(0, x.buffer)
                                      .buffer(1, weight.buffer)
                                      .buffer(2, result.buffer)
                                      .value(3, as_size(kColumns))
                                      .value(4, kEpsilon),
                      .size = LaunchSize::threadgroups({as_size(kRows)}, {256}),
                      .elements = kRows * kColumns,
                      .traffic_bytes = sizeof(float) * (2 * kRows * kColumns + kColumns),
                      .check = [x, weight, result] {
                        for (size_t row = 0; row < kRows; ++row) {
                          double squares = 0;
                          for (size_t i = 0; i < kColumns; ++i)
                            squares += std::pow(double{x[row * kColumns + i]}, 2);
                          const double scale = 1 / std::sqrt(squares / kColumns + kEpsilon);
                          for (size_t i = 0; i < kColumns; ++i) {
                            const double expected = x[row * kColumns + i] * scale * weight[i];
                            const Tolerance tolerance{.relative = 1e-5};
                            if (!tolerance.accepts(result[row * kColumns + i], expected))
                              return false;
                          }
                        }
                        return true;
                      }};
}

Result<PreparedCase> prepare_softmax(device::Device& device) {
  constexpr size_t kRows = 130, kColumns = 517, kThreads = 96;
  DemoMemory memory(device);
  const auto scores = memory.zeros<float>(kRows * kColumns, "scores");
  const auto result = memory.zeros<float>(kRows * kColumns, "result");
  if (!memory.ok()) return memory.error();
  fill_random(scores, -8, 8);
  return PreparedCase{.bindings = Bindings()
                                      .buffer(0, scores.buffer)
                                      .buffer(1, result.buffer)
                                      .value(2, as_size(kColumns))
                                      .threadgroup_memory(0, kThreads / 32 * sizeof(float)),
                      .size = LaunchSize::threadgroups({as_size(kRows)}, {kThreads}),
                      .elements = kRows * kColumns,
                      .traffic_bytes = 2 * sizeof(float) * kRows * kColumns,
                      .check = [scores, result] {
                        for (size_t row = 0; row < kRows; ++row) {
                          const size_t visible = row < kColumns ? row + 1 : kColumns;
                          double sum = 0;
                          for (size_t i = 0; i < visible; ++i)
                            sum += std::exp(double{scores[row * kColumns + i]});
                          for (size_t i = 0; i < kColumns; ++i) {
                            const size_t at = row * kColumns + i;
                            const double expected =
                                i < visible ? std::exp(double{scores[at]}) / sum : 0;
                            if (!Tolerance{.relative = 2e-5}.accepts(result[at], expected))
                              return false;
                          }
                        }
                        return true;
                      }};
}

Result<PreparedCase> prepare_transpose(device::Device& device) {
  constexpr uint32_t kColumns = 701, kRows = 997, kTile = 16;
  struct Size {
    uint32_t columns = kColumns, rows = kRows;
  };
  DemoMemory memory(device);
  const auto matrix = memory.zeros<float>(kRows * kColumns, "matrix");
  const auto result = memory.zeros<float>(kRows * kColumns, "result");
  if (!memory.ok()) return memory.error();
  std::iota(matrix.values().begin(), matrix.values().end(), 0.0f);
  const auto tiles = [](uint32_t size) { return (size + kTile - 1) / kTile; };
  return PreparedCase{
      .bindings = Bindings().buffer(0, matrix.buffer).buffer(1, result.buffer).value(2, Size{}),
      .size = LaunchSize::threadgroups({tiles(kColumns), tiles(kRows)}, {kTile, kTile}),
      .elements = kRows * kColumns,
      .traffic_bytes = 2 * sizeof(float) * kRows * kColumns,
      .check = [matrix, result] {
        for (size_t row = 0; row < kRows; ++row) {
          for (size_t column = 0; column < kColumns; ++column) {
            if (result[column * kRows + row] != matrix[row * kColumns + column]) return false;
          }
        }
        return true;
      }};
}

Result<PreparedCase> prepare_prefix_sum(device::Device& device) {
  constexpr size_t kCount = 300'007, kBlock = 1024;
  DemoMemory memory(device);
  const auto values = memory.zeros<int32_t>(kCount, "values");
  const auto sums = memory.zeros<int32_t>(kCount, "sums");
  if (!memory.ok()) return memory.error();
  std::mt19937 random(3);
  for (int32_t& value : values.values()) value = static_cast<int32_t>(random() % 1000) - 500;
  return PreparedCase{
      .bindings =
          Bindings().buffer(0, values.buffer).buffer(1, sums.buffer).value(2, as_size(kCount)),
      .size = LaunchSize::threadgroups({as_size((kCount + kBlock - 1) / kBlock)}, {kBlock}),
      .elements = kCount,
      .traffic_bytes = 2 * sizeof(int32_t) * kCount,
      .check = [values, sums] {
        int32_t sum = 0;
        for (size_t i = 0; i < kCount; ++i) {
          sum = (i % kBlock == 0 ? 0 : sum) + values[i];
          if (sums[i] != sum) return false;
        }
        return true;
      }};
}

Result<PreparedCase> prepare_histogram(device::Device& device) {
  constexpr size_t kCount = 1'000'003, kBins = 256;
  DemoMemory memory(device);
  const auto values = memory.zeros<uint8_t>(kCount, "values");
  const auto bins = memory.zeros<uint32_t>(kBins, "bins");
  if (!memory.ok()) return memory.error();
  std::mt19937 random(5);
  for (uint8_t& value : values.values()) {
    const auto first = random(), second = random();
    value = static_cast<uint8_t>((first & second) >> 3);  // low values more often than high ones
  }
  return PreparedCase{
      .bindings =
          Bindings().buffer(0, values.buffer).buffer(1, bins.buffer).value(2, as_size(kCount)),
      .size = LaunchSize::threadgroups({64}, {256}),
      .elements = kCount,
      .traffic_bytes = kCount,
      .check = [values, bins] {
        std::vector<uint32_t> expected(kBins);
        for (const uint8_t value : values.values()) ++expected[value];
        return std::ranges::equal(bins.values(), expected);
      }};
}

Result<PreparedCase> prepare_matmul(device::Device& device) {
  struct Size {
    uint32_t rows = 208, columns = 176, depth = 144;
  };
  static constexpr Size kSize;
  DemoMemory memory(device);
  const auto a = memory.zeros<float>(kSize.rows * kSize.depth, "a");
  const auto b = memory.zeros<float>(kSize.depth * kSize.columns, "b");
  const auto c = memory.zeros<float>(kSize.rows * kSize.columns, "c");
  if (!memory.ok()) return memory.error();
  fill_random(a, -1, 1);
  fill_random(b, 0, 1);
  return PreparedCase{
      .bindings =
          Bindings().buffer(0, a.buffer).buffer(1, b.buffer).buffer(2, c.buffer).value(3, kSize),
      .size = LaunchSize::threadgroups({kSize.columns / 16, kSize.rows / 16}, {32}),
      .elements = kSize.rows * kSize.columns,
      .traffic_bytes = sizeof(float) * (kSize.rows * kSize.depth + kSize.depth * kSize.columns +
                                        kSize.rows * kSize.columns),
      .check = [a, b, c] {
        for (size_t row = 0; row < kSize.rows; ++row) {
          for (size_t column = 0; column < kSize.columns; ++column) {
            double expected = 0;
            for (size_t k = 0; k < kSize.depth; ++k) {
              expected += double{a[row * kSize.depth + k]} * b[k * kSize.columns + column];
            }
            const Tolerance tolerance{.relative = 1e-5, .absolute = 2e-5};
            if (!tolerance.accepts(c[row * kSize.columns + column], expected)) return false;
          }
        }
        return true;
      }};
}

// Conversion of floats to a 16-bit type; `bits_of` gives the expected bits.
Result<PreparedCase> prepare_narrowing(device::Device& device, uint16_t (*bits_of)(float)) {
  constexpr size_t kCount = 400'003;
  DemoMemory memory(device);
  const auto from = memory.zeros<float>(kCount, "from");
  const auto to = memory.zeros<uint16_t>(kCount, "to");
  if (!memory.ok()) return memory.error();
  fill_random(from, -70000, 70000);
  // Below 1 the types differ most: subnormal halves, ties, tiny bfloats.
  for (size_t i = 0; i < kCount; i += 2) from[i] *= std::ldexp(1.0f, -static_cast<int>(i % 48));
  return PreparedCase{.bindings = Bindings().buffer(0, from.buffer).buffer(1, to.buffer),
                      .size = LaunchSize::threads({as_size(kCount)}, {256}),
                      .elements = kCount,
                      .traffic_bytes = (sizeof(float) + sizeof(uint16_t)) * kCount,
                      .check = [from, to, bits_of] {
                        for (size_t i = 0; i < kCount; ++i) {
                          if (to[i] != bits_of(from[i])) return false;
                        }
                        return true;
                      }};
}

Result<PreparedCase> prepare_float_to_half(device::Device& device) {
  return prepare_narrowing(
      device, [](float value) { return std::bit_cast<uint16_t>(static_cast<_Float16>(value)); });
}

Result<PreparedCase> prepare_float_to_bfloat(device::Device& device) {
  return prepare_narrowing(device, bfloat_bits);
}

}  // namespace

std::span<const DemoCase> demo_cases() {
  static const DemoCase cases[] = {
      {"axpy.metal", "axpy", {}, "element-wise", prepare_axpy},
      {"chain.metal", "chain", {}, "math functions", prepare_chain},
      {"row_sum.metal", "row_sum", {}, "barriers in a loop", prepare_row_sum},
      {"rms_norm.metal", "rms_norm", {}, "simdgroup sums", prepare_rms_norm},
      {"softmax.metal", "softmax", {{"causal", "true"}}, "function constant", prepare_softmax},
      {"transpose.metal", "transpose_tiled", {}, "threadgroup tile", prepare_transpose},
      {"prefix_sum.metal", "prefix_sum", {}, "simdgroup scans", prepare_prefix_sum},
      {"histogram.metal", "histogram", {}, "atomics", prepare_histogram},
      {"matmul.metal", "matmul", {}, "simdgroup_matrix", prepare_matmul},
      {"convert.metal", "float_to_half", {}, "half", prepare_float_to_half},
      {"convert.metal", "float_to_bfloat", {}, "bfloat", prepare_float_to_bfloat},
  };
  return cases;
}

}  // namespace assay::cli
