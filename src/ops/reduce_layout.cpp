// See reduce_layout.h.
#include "ops/reduce_layout.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace assay {
namespace {

// Axes that repeat the same elements go outside, those of neighbours in memory inside.
int64_t order_of(int64_t stride) {
  return stride == 0 ? std::numeric_limits<int64_t>::max() : std::abs(stride);
}

}  // namespace

void AxisList::add(ShapeElem length, int64_t stride) {
  if (length == 1) return;
  const bool is_mergeable = !shape.empty() && strides.back() == stride * length &&
                            int64_t{shape.back()} * length <= INT32_MAX;
  if (is_mergeable) {
    shape.back() *= length;
    strides.back() = stride;
  } else {
    shape.push_back(length);
    strides.push_back(stride);
  }
}

ReduceLayout reduce_layout(const Node& node, const std::vector<int>& axes) {
  ReduceLayout layout;
  std::vector<size_t> reduced;
  for (size_t axis = 0; axis < node.shape.size(); ++axis) {
    if (std::binary_search(axes.begin(), axes.end(), static_cast<int>(axis))) {
      reduced.push_back(axis);
    } else {
      layout.kept.add(node.shape[axis], node.strides[axis]);
    }
  }
  std::sort(reduced.begin(), reduced.end(), [&](size_t a, size_t b) {
    const auto left = order_of(node.strides[a]), right = order_of(node.strides[b]);
    return left != right ? left > right : a < b;
  });
  for (const size_t axis : reduced) layout.outer.add(node.shape[axis], node.strides[axis]);
  if (layout.outer.rank() > 0) {
    layout.inner = static_cast<uint32_t>(layout.outer.shape.back());
    layout.inner_stride = layout.outer.strides.back();
    layout.outer.shape.pop_back();
    layout.outer.strides.pop_back();
  }
  return layout;
}

std::vector<int> all_axes(size_t ndim) {
  std::vector<int> axes(ndim);
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

Shape reduced_shape(const Shape& shape, const std::vector<int>& sorted_axes, bool keepdims) {
  Shape result;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (!std::binary_search(sorted_axes.begin(), sorted_axes.end(), static_cast<int>(axis))) {
      result.push_back(shape[axis]);
    } else if (keepdims) {
      result.push_back(1);
    }
  }
  return result;
}

}  // namespace assay
