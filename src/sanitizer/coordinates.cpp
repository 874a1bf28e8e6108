// See coordinates.h. Axes are taken apart from the longest step to the shortest, as digits of a
// number; arrays whose steps overlap in other ways may find nothing.
#include "sanitizer/coordinates.h"

#include <algorithm>
#include <numeric>

namespace assay::sanitizer {
namespace {

// Shapes come from outside: nothing here may overflow.
bool multiply(int64_t a, int64_t b, int64_t& product) {
  return !__builtin_mul_overflow(a, b, &product);
}

std::optional<std::vector<int64_t>> row_strides(std::span<const int64_t> shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t step = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = step;
    if (!multiply(step, shape[axis], step)) return std::nullopt;
  }
  return strides;
}

int64_t length(int64_t stride) { return stride < 0 ? -stride : stride; }

}  // namespace

std::optional<std::vector<int64_t>> find_coordinates(int64_t index, const ArrayLayout& layout) {
  const std::span<const int64_t> shape = layout.shape;
  if (std::ranges::any_of(shape, [](int64_t size) { return size <= 0; })) return std::nullopt;
  std::vector<int64_t> strides(layout.strides.begin(), layout.strides.end());
  if (strides.empty()) {
    auto made = row_strides(shape);
    if (!made) return std::nullopt;
    strides = std::move(*made);
  }
  if (strides.size() != shape.size()) return std::nullopt;

  // Counted from the lowest element, steps that go down become steps up.
  int64_t rest = index;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    int64_t reach = 0;
    if (strides[axis] >= 0) continue;
    if (strides[axis] == INT64_MIN || !multiply(shape[axis] - 1, strides[axis], reach) ||
        __builtin_sub_overflow(rest, reach, &rest)) {
      return std::nullopt;
    }
  }
  std::vector<size_t> order(shape.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, [&](size_t a, size_t b) {
    const int64_t left = length(strides[a]), right = length(strides[b]);
    return left != right ? left > right : a < b;
  });
  std::vector<int64_t> coordinates(shape.size(), 0);
  for (const size_t axis : order) {
    const int64_t step = length(strides[axis]);
    const int64_t steps = step == 0 || rest < 0 ? 0 : std::min(rest / step, shape[axis] - 1);
    rest -= steps * step;
    coordinates[axis] = strides[axis] < 0 ? shape[axis] - 1 - steps : steps;
  }
  if (rest != 0) return std::nullopt;
  return coordinates;
}

std::optional<std::vector<int64_t>> find_coordinates(const MemoryPlace& memory) {
  if (memory.shape.empty() || memory.element_bytes == 0) return std::nullopt;
  const auto size = static_cast<int64_t>(memory.element_bytes);
  if (size <= 0 || memory.offset % size != 0) return std::nullopt;
  return find_coordinates(memory.offset / size, {memory.shape, memory.strides});
}

}  // namespace assay::sanitizer
