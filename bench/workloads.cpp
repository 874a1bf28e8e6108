// See workload.h. The references are plain loops, written for being obviously right.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numeric>

#include "bench/workload.h"

namespace assay::bench {
namespace {

constexpr uint32_t kBins = 256;
constexpr float kFactor = 0.5f;

// All multiples of what the kernels' tiles ask for; images are square, which transpose asks for.
struct Sizes {
  uint32_t elements = 0;
  uint32_t rows = 0;
  uint32_t columns = 0;
  uint32_t matrix = 0;
  uint32_t bytes_per_group = 0;  // of the histogram

  uint64_t image_bytes() const { return uint64_t{rows} * columns * sizeof(float); }
  uint64_t matrix_bytes() const { return uint64_t{matrix} * matrix * sizeof(float); }
};

Sizes sizes_of(Scale scale) {
  switch (scale) {
    case Scale::kFull: break;
    case Scale::kMedium: return {1u << 20, 1024, 1024, 256, 16384};
    case Scale::kSmall: return {1u << 13, 64, 64, 32, 2048};
  }
  return {1u << 24, 4096, 4096, 1024, 16384};
}

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

Workload axpy(const Sizes& sizes) {
  return {.name = "axpy",
          .buffer_bytes = {sizes.elements * sizeof(float), sizes.elements * sizeof(float)},
          .values = {std::bit_cast<uint32_t>(kFactor)},
          .groups = {sizes.elements / 256},
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

Workload chain(const Sizes& sizes) {
  return {.name = "chain",
          .buffer_bytes = {sizes.elements * sizeof(float), sizes.elements * sizeof(float)},
          .groups = {sizes.elements / 256},
          .group_size = {256},
          .fill = [](Buffers buffers) { fill_floats(buffers[0]); },
          .check =
              [](ConstBuffers buffers) {
                return compare(buffers[1], 1e-5, [](size_t i) {
                  return std::log(std::exp(std::cos(std::sin(input(i)))));
                });
              }};
}

Workload row_sum(const Sizes& sizes) {
  return {.name = "row_sum",
          .buffer_bytes = {sizes.image_bytes(), sizes.rows * sizeof(float)},
          .values = {sizes.columns},
          .groups = {sizes.rows},
          .group_size = {256},
          .fill = [](Buffers buffers) { fill_floats(buffers[0]); },
          .check =
              [sizes](ConstBuffers buffers) {
                return compare(buffers[1], 1e-4, [&sizes](size_t row) {
                  double sum = 0;
                  for (uint64_t i = 0; i < sizes.columns; ++i)
                    sum += input(row * sizes.columns + i);
                  return sum;
                });
              }};
}

std::string check_softmax(const Sizes& sizes, ConstBuffers buffers) {
  constexpr double kTolerance = 1e-4;  // of each element, relative
  std::span<const float> result = as<float>(buffers[1]);
  std::vector<double> powers(sizes.columns);
  for (uint64_t row = 0; row < sizes.rows; ++row) {
    for (uint64_t i = 0; i < sizes.columns; ++i)
      powers[i] = std::exp(input(row * sizes.columns + i));
    double sum = std::accumulate(powers.begin(), powers.end(), 0.0);
    for (uint64_t i = 0; i < sizes.columns; ++i) {
      double right = powers[i] / sum;
      if (!(std::abs(result[row * sizes.columns + i] - right) <= kTolerance * right))
        return "row " + std::to_string(row) + ", column " + std::to_string(i) + " is wrong";
    }
  }
  return {};
}

Workload softmax(const Sizes& sizes) {
  return {.name = "softmax",
          .buffer_bytes = {sizes.image_bytes(), sizes.image_bytes()},
          .values = {sizes.columns},
          .groups = {sizes.rows},
          .group_size = {256},
          .fill = [](Buffers buffers) { fill_floats(buffers[0]); },
          .check = [sizes](ConstBuffers buffers) { return check_softmax(sizes, buffers); }};
}

std::string check_rms_norm(const Sizes& sizes, ConstBuffers buffers) {
  std::vector<double> factors(sizes.rows);
  for (uint64_t row = 0; row < sizes.rows; ++row) {
    double squares = 0;
    for (uint64_t i = 0; i < sizes.columns; ++i) {
      double value = input(row * sizes.columns + i);
      squares += value * value;
    }
    factors[row] = 1 / std::sqrt(squares / sizes.columns + 1e-5);
  }
  return compare(buffers[2], 1e-5, [&](size_t i) {
    return input(i) * factors[i / sizes.columns] * input(i % sizes.columns, 1);
  });
}

Workload rms_norm(const Sizes& sizes) {
  return {.name = "rms_norm",
          .buffer_bytes = {sizes.image_bytes(), sizes.columns * sizeof(float), sizes.image_bytes()},
          .values = {sizes.columns},
          .groups = {sizes.rows},
          .group_size = {256},
          .fill =
              [](Buffers buffers) {
                fill_floats(buffers[0]);
                fill_floats(buffers[1], 1);
              },
          .check = [sizes](ConstBuffers buffers) { return check_rms_norm(sizes, buffers); }};
}

Workload transpose(const Sizes& sizes) {
  return {.name = "transpose",
          .buffer_bytes = {sizes.image_bytes(), sizes.image_bytes()},
          .values = {sizes.columns},
          .groups = {sizes.columns / 32, sizes.rows / 32},
          .group_size = {32, 8},
          .fill = [](Buffers buffers) { fill_floats(buffers[0]); },
          .check =
              [sizes](ConstBuffers buffers) {
                return compare(buffers[1], 0, [&sizes](size_t i) {
                  return input((i % sizes.rows) * sizes.columns + i / sizes.rows);
                });
              }};
}

double stencil_at(const Sizes& sizes, int64_t row, int64_t column) {
  auto at = [&sizes](int64_t y, int64_t x) {
    bool inside = y >= 0 && y < sizes.rows && x >= 0 && x < sizes.columns;
    return inside ? double{input(y * sizes.columns + x)} : 0.0;
  };
  return 0.5 * at(row, column) + 0.125 * (at(row, column - 1) + at(row, column + 1) +
                                          at(row - 1, column) + at(row + 1, column));
}

Workload stencil(const Sizes& sizes) {
  return {.name = "stencil",
          .buffer_bytes = {sizes.image_bytes(), sizes.image_bytes()},
          .values = {sizes.columns, sizes.rows},
          .groups = {sizes.columns / 16, sizes.rows / 16},
          .group_size = {16, 16},
          .fill = [](Buffers buffers) { fill_floats(buffers[0]); },
          .check =
              [sizes](ConstBuffers buffers) {
                return compare(buffers[1], 1e-6, [&sizes](size_t i) {
                  return stencil_at(sizes, i / sizes.columns, i % sizes.columns);
                });
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

Workload histogram(const Sizes& sizes) {
  return {.name = "histogram",
          .buffer_bytes = {sizes.elements, kBins * sizeof(uint32_t)},
          .values = {sizes.bytes_per_group},
          .groups = {sizes.elements / sizes.bytes_per_group},
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
std::string check_product(const Sizes& sizes, ConstBuffers buffers) {
  std::span<const float> a = as<float>(buffers[0]);
  std::span<const float> b = as<float>(buffers[1]);
  std::vector<double> right(sizes.matrix);
  for (size_t row = 0; row < sizes.matrix; row += 7) {
    std::ranges::fill(right, 0.0);
    for (size_t k = 0; k < sizes.matrix; ++k)
      for (size_t column = 0; column < sizes.matrix; ++column)
        right[column] += double{a[row * sizes.matrix + k]} * b[k * sizes.matrix + column];
    ConstBytes result =
        buffers[2].subspan(row * sizes.matrix * sizeof(float), sizes.matrix * sizeof(float));
    std::string difference = compare(result, 1e-4, [&right](size_t i) { return right[i]; });
    if (!difference.empty()) return "row " + std::to_string(row) + ": " + difference;
  }
  return {};
}

Workload product(const Sizes& sizes, std::string name, Size2 groups, Size2 group_size) {
  return {.name = std::move(name),
          .buffer_bytes = {sizes.matrix_bytes(), sizes.matrix_bytes(), sizes.matrix_bytes()},
          .values = {sizes.matrix},
          .groups = groups,
          .group_size = group_size,
          .fill =
              [](Buffers buffers) {
                fill_floats(buffers[0]);
                fill_floats(buffers[1], 1);
              },
          .check = [sizes](ConstBuffers buffers) { return check_product(sizes, buffers); }};
}

Workload empty() {
  return {.name = "empty",
          .launches = 500,
          .fill = [](Buffers) {},
          .check = [](ConstBuffers) { return std::string(); }};
}

std::vector<Workload> make_workloads(Scale scale) {
  const Sizes sizes = sizes_of(scale);
  const uint32_t tiles = sizes.matrix / 16;
  return {
      axpy(sizes),
      chain(sizes),
      row_sum(sizes),
      softmax(sizes),
      rms_norm(sizes),
      transpose(sizes),
      stencil(sizes),
      histogram(sizes),
      product(sizes, "matmul", {tiles, tiles}, {16, 16}),
      product(sizes, "matrix_matmul", {tiles / 2, tiles / 2}, {128}),
      empty(),
  };
}

}  // namespace

const Workload* find_workload(std::string_view name, Scale scale) {
  static const std::array<std::vector<Workload>, 3> all = {
      make_workloads(Scale::kFull), make_workloads(Scale::kMedium), make_workloads(Scale::kSmall)};
  for (const Workload& workload : all[static_cast<size_t>(scale)])
    if (workload.name == name) return &workload;
  return nullptr;
}

std::string read_kernel(const std::string& file) {
  std::ifstream stream(std::string(ASSAY_BENCH_KERNELS) + "/" + file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace assay::bench
