// See workload.h. The references are plain loops, written for being obviously right.
#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numeric>

#include "bench/workload.h"

namespace assay::bench {
namespace {

constexpr uint32_t kElements = 1u << 24;
constexpr uint32_t kRows = 4096;
constexpr uint32_t kColumns = 4096;
constexpr uint32_t kMatrix = 1024;
constexpr uint32_t kBins = 256;
constexpr uint32_t kBytesPerGroup = 16384;
constexpr float kFactor = 0.5f;
constexpr uint64_t kImageBytes = uint64_t{kRows} * kColumns * sizeof(float);
constexpr uint64_t kMatrixBytes = uint64_t{kMatrix} * kMatrix * sizeof(float);

using Buffers = std::span<const Bytes>;
using ConstBuffers = std::span<const ConstBytes>;

// Spread over [-1, 1) without a pattern that would make a wrong index look right.
float input(uint64_t index, uint32_t salt = 0) {
  uint32_t bits = static_cast<uint32_t>(index) * 2654435761u + salt * 40503u;
  bits ^= bits >> 15;
  bits *= 2246822519u;
  bits ^= bits >> 13;
  return static_cast<float>(bits >> 8) / (1u << 23) - 1.0f;
}

void fill_floats(Bytes bytes, uint32_t salt = 0) {
  std::span<float> values = as<float>(bytes);
  for (size_t i = 0; i < values.size(); ++i) values[i] = input(i, salt);
}

// Compares with expected(index); relative to 1 for small numbers.
template <typename Expected>
std::string compare(ConstBytes bytes, double tolerance, const Expected& expected) {
  std::span<const float> values = as<float>(bytes);
  for (size_t i = 0; i < values.size(); ++i) {
    double right = expected(i);
    double difference = std::abs(values[i] - right);
    if (!(difference <= tolerance * std::max(1.0, std::abs(right))))
      return "element " + std::to_string(i) + " is " + std::to_string(values[i]) + ", not " +
             std::to_string(right);
  }
  return {};
}

Workload axpy() {
  return {.name = "axpy",
          .buffer_bytes = {kElements * sizeof(float), kElements * sizeof(float)},
          .values = {std::bit_cast<uint32_t>(kFactor)},
          .groups = {kElements / 256},
          .group_size = {256},
          .fill =
              [](Buffers buffers) {
                fill_floats(buffers[0]);
                fill_floats(buffers[1], 1);
              },
          .check =
              [](ConstBuffers buffers) {
                return compare(buffers[1], 1e-6,
                               [](size_t i) { return kFactor * input(i) + input(i, 1); });
              }};
}

Workload chain() {
  return {.name = "chain",
          .buffer_bytes = {kElements * sizeof(float), kElements * sizeof(float)},
          .groups = {kElements / 256},
          .group_size = {256},
          .fill = [](Buffers buffers) { fill_floats(buffers[0]); },
          .check =
              [](ConstBuffers buffers) {
                return compare(buffers[1], 1e-5, [](size_t i) {
                  return std::log(std::exp(std::cos(std::sin(input(i)))));
                });
              }};
}

Workload row_sum() {
  return {.name = "row_sum",
          .buffer_bytes = {kImageBytes, kRows * sizeof(float)},
          .values = {kColumns},
          .groups = {kRows},
          .group_size = {256},
          .fill = [](Buffers buffers) { fill_floats(buffers[0]); },
          .check =
              [](ConstBuffers buffers) {
                return compare(buffers[1], 1e-4, [](size_t row) {
                  double sum = 0;
                  for (uint64_t i = 0; i < kColumns; ++i) sum += input(row * kColumns + i);
                  return sum;
                });
              }};
}

std::string check_softmax(ConstBuffers buffers) {
  constexpr double kTolerance = 1e-4;  // of each element, relative
  std::span<const float> result = as<float>(buffers[1]);
  std::vector<double> powers(kColumns);
  for (uint64_t row = 0; row < kRows; ++row) {
    for (uint64_t i = 0; i < kColumns; ++i) powers[i] = std::exp(input(row * kColumns + i));
    double sum = std::accumulate(powers.begin(), powers.end(), 0.0);
    for (uint64_t i = 0; i < kColumns; ++i) {
      double right = powers[i] / sum;
      if (!(std::abs(result[row * kColumns + i] - right) <= kTolerance * right))
        return "row " + std::to_string(row) + ", column " + std::to_string(i) + " is wrong";
    }
  }
  return {};
}

Workload softmax() {
  return {.name = "softmax",
          .buffer_bytes = {kImageBytes, kImageBytes},
          .values = {kColumns},
          .groups = {kRows},
          .group_size = {256},
          .fill = [](Buffers buffers) { fill_floats(buffers[0]); },
          .check = check_softmax};
}

std::string check_rms_norm(ConstBuffers buffers) {
  std::vector<double> factors(kRows);
  for (uint64_t row = 0; row < kRows; ++row) {
    double squares = 0;
    for (uint64_t i = 0; i < kColumns; ++i) {
      double value = input(row * kColumns + i);
      squares += value * value;
    }
    factors[row] = 1 / std::sqrt(squares / kColumns + 1e-5);
  }
  return compare(buffers[2], 1e-5, [&factors](size_t i) {
    return input(i) * factors[i / kColumns] * input(i % kColumns, 1);
  });
}

Workload rms_norm() {
  return {.name = "rms_norm",
          .buffer_bytes = {kImageBytes, kColumns * sizeof(float), kImageBytes},
          .values = {kColumns},
          .groups = {kRows},
          .group_size = {256},
          .fill =
              [](Buffers buffers) {
                fill_floats(buffers[0]);
                fill_floats(buffers[1], 1);
              },
          .check = check_rms_norm};
}

Workload transpose() {
  return {.name = "transpose",
          .buffer_bytes = {kImageBytes, kImageBytes},
          .values = {kColumns},
          .groups = {kColumns / 32, kRows / 32},
          .group_size = {32, 8},
          .fill = [](Buffers buffers) { fill_floats(buffers[0]); },
          .check =
              [](ConstBuffers buffers) {
                return compare(buffers[1], 0,
                               [](size_t i) { return input((i % kRows) * kColumns + i / kRows); });
              }};
}

double stencil_at(int64_t row, int64_t column) {
  auto at = [](int64_t y, int64_t x) {
    bool inside = y >= 0 && y < kRows && x >= 0 && x < kColumns;
    return inside ? double{input(y * kColumns + x)} : 0.0;
  };
  return 0.5 * at(row, column) + 0.125 * (at(row, column - 1) + at(row, column + 1) +
                                          at(row - 1, column) + at(row + 1, column));
}

Workload stencil() {
  return {.name = "stencil",
          .buffer_bytes = {kImageBytes, kImageBytes},
          .values = {kColumns, kRows},
          .groups = {kColumns / 16, kRows / 16},
          .group_size = {16, 16},
          .fill = [](Buffers buffers) { fill_floats(buffers[0]); },
          .check =
              [](ConstBuffers buffers) {
                return compare(buffers[1], 1e-6,
                               [](size_t i) { return stencil_at(i / kColumns, i % kColumns); });
              }};
}

std::string check_histogram(ConstBuffers buffers) {
  std::vector<uint32_t> right(kBins);
  for (uint8_t value : as<uint8_t>(buffers[0])) ++right[value];
  std::span<const uint32_t> bins = as<uint32_t>(buffers[1]);
  for (uint32_t bin = 0; bin < kBins; ++bin)
    if (bins[bin] != right[bin])
      return "bin " + std::to_string(bin) + " is " + std::to_string(bins[bin]) + ", not " +
             std::to_string(right[bin]);
  return {};
}

Workload histogram() {
  return {.name = "histogram",
          .buffer_bytes = {kElements, kBins * sizeof(uint32_t)},
          .values = {kBytesPerGroup},
          .groups = {kElements / kBytesPerGroup},
          .group_size = {256},
          .fill =
              [](Buffers buffers) {
                std::span<uint8_t> values = as<uint8_t>(buffers[0]);
                for (size_t i = 0; i < values.size(); ++i)
                  values[i] = static_cast<uint8_t>((input(i) + 1) * (kBins / 2));
              },
          .check = check_histogram};
}

// Every seventh row, which meets every row of every tile: the whole product takes seconds.
std::string check_product(ConstBuffers buffers) {
  std::span<const float> a = as<float>(buffers[0]);
  std::span<const float> b = as<float>(buffers[1]);
  std::vector<double> right(kMatrix);
  for (size_t row = 0; row < kMatrix; row += 7) {
    std::ranges::fill(right, 0.0);
    for (size_t k = 0; k < kMatrix; ++k)
      for (size_t column = 0; column < kMatrix; ++column)
        right[column] += double{a[row * kMatrix + k]} * b[k * kMatrix + column];
    ConstBytes result = buffers[2].subspan(row * kMatrix * sizeof(float), kMatrix * sizeof(float));
    std::string difference = compare(result, 1e-4, [&right](size_t i) { return right[i]; });
    if (!difference.empty()) return "row " + std::to_string(row) + ": " + difference;
  }
  return {};
}

Workload product(std::string name, Size2 groups, Size2 group_size) {
  return {.name = std::move(name),
          .buffer_bytes = {kMatrixBytes, kMatrixBytes, kMatrixBytes},
          .values = {kMatrix},
          .groups = groups,
          .group_size = group_size,
          .fill =
              [](Buffers buffers) {
                fill_floats(buffers[0]);
                fill_floats(buffers[1], 1);
              },
          .check = check_product};
}

Workload empty() {
  return {.name = "empty",
          .launches = 500,
          .fill = [](Buffers) {},
          .check = [](ConstBuffers) { return std::string(); }};
}

}  // namespace

const std::vector<Workload>& workloads() {
  static const std::vector<Workload> all = {
      axpy(),
      chain(),
      row_sum(),
      softmax(),
      rms_norm(),
      transpose(),
      stencil(),
      histogram(),
      product("matmul", {kMatrix / 16, kMatrix / 16}, {16, 16}),
      product("matrix_matmul", {kMatrix / 32, kMatrix / 32}, {128}),
      empty(),
  };
  return all;
}

const Workload* find_workload(std::string_view name) {
  for (const Workload& workload : workloads())
    if (workload.name == name) return &workload;
  return nullptr;
}

std::string read_kernel(const std::string& file) {
  std::ifstream stream(std::string(ASSAY_BENCH_KERNELS) + "/" + file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace assay::bench
