// See compare_elements.h.
#include "replay/compare_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace assay::replay {
namespace {

using Bytes = std::span<const std::byte>;

// A complex number is two floats.
ElementType part_type(ElementType type) {
  return type == ElementType::kComplex64 ? ElementType::kFloat32 : type;
}

double mean_magnitude(ElementType type, Bytes bytes) {
  const size_t size = element_bytes(type);
  double sum = 0;
  size_t count = 0;
  for (size_t at = 0; at + size <= bytes.size(); at += size) {
    const double value = std::abs(float_value(type, bytes.subspan(at, size)));
    if (!std::isfinite(value)) continue;
    sum += value;
    ++count;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

struct Closeness {
  double tolerance = 0;
  double mean = 0;

  bool holds(ElementType type, Bytes captured, Bytes replayed, uint64_t ulps) const {
    if (element_bytes(type) == 2 && ulps <= 1) return true;
    const double a = float_value(type, captured), b = float_value(type, replayed);
    if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
    return std::abs(a - b) <= tolerance * std::max({std::abs(a), std::abs(b), mean});
  }
};

// Adds what one element of a floating type tells; false when it is beyond the tolerance.
bool add_floating(Comparison& comparison, ElementType type, Bytes captured, Bytes replayed,
                  const Closeness& closeness) {
  const ElementType part = part_type(type);
  const size_t size = element_bytes(part);
  bool is_close = true;
  for (size_t at = 0; at < captured.size(); at += size) {
    const Bytes a = captured.subspan(at, size), b = replayed.subspan(at, size);
    const std::optional<uint64_t> ulps = ulp_distance(part, a, b);
    if (!ulps) {
      const bool are_both_nan =
          std::isnan(float_value(part, a)) && std::isnan(float_value(part, b));
      comparison.has_new_nan = comparison.has_new_nan || !are_both_nan;
      is_close = is_close && are_both_nan;
      continue;
    }
    comparison.max_ulps = std::max(comparison.max_ulps.value_or(0), *ulps);
    is_close = is_close && closeness.holds(part, a, b, *ulps);
  }
  return is_close;
}

}  // namespace

Comparison compare_elements(ElementType type, Bytes captured, Bytes replayed, double tolerance) {
  const size_t size = element_bytes(type);
  const Closeness closeness{tolerance,
                            is_floating(type) ? mean_magnitude(part_type(type), captured) : 0};
  Comparison comparison{.elements = captured.size() / size};
  for (uint64_t i = 0; i < comparison.elements; ++i) {
    const Bytes a = captured.subspan(i * size, size), b = replayed.subspan(i * size, size);
    if (std::memcmp(a.data(), b.data(), size) == 0) continue;
    if (comparison.differing++ == 0) {
      comparison.first = i;
      comparison.captured = element_text(type, a);
      comparison.replayed = element_text(type, b);
    }
    const bool is_close = is_floating(type) && add_floating(comparison, type, a, b, closeness);
    if (!is_close) ++comparison.beyond_tolerance;
  }
  return comparison;
}

std::optional<std::vector<int64_t>> find_coordinates(const ArrayRow& array, int64_t offset) {
  const size_t dimensions = array.shape.size();
  std::vector<size_t> order(dimensions);
  std::iota(order.begin(), order.end(), size_t{0});
  // A dimension with larger steps than all others together decides first.
  const auto step = [&](size_t dimension) {
    const int64_t stride = array.strides[dimension];
    return stride < 0 ? uint64_t{0} - static_cast<uint64_t>(stride) : static_cast<uint64_t>(stride);
  };
  std::ranges::sort(order, std::ranges::greater(), step);
  // From the lowest place up, so that nothing is negative.
  int64_t rest = offset;
  for (size_t i = 0; i < dimensions; ++i) {
    if (array.shape[i] == 0) return std::nullopt;
    int64_t back = 0;
    if (array.strides[i] < 0 &&
        (__builtin_mul_overflow(array.strides[i], array.shape[i] - 1, &back) ||
         __builtin_sub_overflow(rest, back, &rest))) {
      return std::nullopt;
    }
  }
  std::vector<int64_t> coordinates(dimensions, 0);
  for (const size_t dimension : order) {
    const uint64_t distance = step(dimension);
    if (distance == 0 || array.shape[dimension] == 1 || rest < 0) continue;
    const auto most = static_cast<uint64_t>(array.shape[dimension] - 1);
    const uint64_t index = std::min(static_cast<uint64_t>(rest) / distance, most);
    rest -= static_cast<int64_t>(index * distance);
    coordinates[dimension] =
        static_cast<int64_t>(array.strides[dimension] < 0 ? most - index : index);
  }
  if (rest != 0) return std::nullopt;
  return coordinates;
}

}  // namespace assay::replay
