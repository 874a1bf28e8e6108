// What the tests of reductions, scans and orders compare with: plain loops over plain vectors.
#pragma once

#include <assay/assay.h>

#include <functional>
#include <vector>

namespace reference {

namespace mx = assay;

inline size_t count(const mx::Shape& shape) {
  size_t product = 1;
  for (const int length : shape) product *= static_cast<size_t>(length);
  return product;
}

// Numbers without a pattern that a bug could share, in [-range, range].
inline std::vector<double> numbers(size_t size, double range = 4.0, uint32_t seed = 1) {
  std::vector<double> values(size);
  uint32_t state = seed * 2654435761u + 1;
  for (double& value : values) {
    state = state * 1664525u + 1013904223u;
    value = range * (2.0 * (state >> 8) / double{1 << 24} - 1.0);
  }
  return values;
}

inline mx::array make(const std::vector<double>& values, const mx::Shape& shape,
                      mx::Dtype dtype = mx::float32) {
  return mx::array(values.begin(), shape, dtype);
}

// The elements in row-major order, as doubles (complex numbers: their real parts).
inline std::vector<double> values_of(mx::array a) {
  a.eval();
  std::vector<double> values(a.size());
  const mx::Shape& shape = a.shape();
  for (size_t i = 0; i < values.size(); ++i) {
    size_t rest = i;
    int64_t position = 0;
    for (size_t axis = shape.size(); axis-- > 0;) {
      position += static_cast<int64_t>(rest % shape[axis]) * a.strides()[axis];
      rest /= shape[axis];
    }
    values[i] = mx::visit_dtype(a.dtype(), [&](auto sample) -> double {
      using T = decltype(sample);
      if constexpr (std::is_same_v<T, mx::complex64_t>) {
        return static_cast<const T*>(a.data<T>())[position].real();
      } else {
        return static_cast<double>(a.data<T>()[position]);
      }
    });
  }
  return values;
}

// Visits each line along `axis`: calls `visit` with its elements' indices in row-major order.
inline void for_lines(const mx::Shape& shape, size_t axis,
                      const std::function<void(const std::vector<size_t>&)>& visit) {
  size_t inner = 1, outer = 1;
  for (size_t i = 0; i < shape.size(); ++i) (i < axis ? outer : inner) *= i == axis ? 1 : shape[i];
  for (size_t i = 0; i < outer; ++i) {
    for (size_t j = 0; j < inner; ++j) {
      std::vector<size_t> line(shape[axis]);
      for (size_t k = 0; k < line.size(); ++k) line[k] = (i * line.size() + k) * inner + j;
      visit(line);
    }
  }
}

// One value for each line along `axis`.
inline std::vector<double> reduce_lines(
    const std::vector<double>& values, const mx::Shape& shape, size_t axis,
    const std::function<double(const std::vector<double>&)>& reduce) {
  std::vector<double> results;
  for_lines(shape, axis, [&](const std::vector<size_t>& line) {
    std::vector<double> elements;
    for (const size_t index : line) elements.push_back(values[index]);
    results.push_back(reduce(elements));
  });
  return results;
}

}  // namespace reference
