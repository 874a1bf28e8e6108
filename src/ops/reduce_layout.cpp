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

// Along an axis of `shape`, which the node broadcasts to.
int64_t broadcast_stride(const Node& node, const Shape& shape, size_t axis) {
  const size_t skipped = shape.size() - node.shape.size();
  if (axis < skipped || (node.shape[axis - skipped] == 1 && shape[axis] != 1)) return 0;
  return node.strides[axis - skipped];
}

}  // namespace

void SharedAxes::add(ShapeElem length, const Strides& per_array) {
  if (strides.empty()) strides.resize(per_array.size());
  if (length == 1) return;
  bool is_mergeable = !shape.empty() && int64_t{shape.back()} * length <= INT32_MAX;
  for (size_t i = 0; i < per_array.size() && is_mergeable; ++i) {
    is_mergeable = strides[i].back() == per_array[i] * length;
  }
  if (is_mergeable) {
    shape.back() *= length;
  } else {
    shape.push_back(length);
  }
  for (size_t i = 0; i < per_array.size(); ++i) {
    if (!is_mergeable) strides[i].push_back(0);
    strides[i].back() = per_array[i];
  }
}

SharedLayout shared_layout(const Shape& shape, std::span<const Node* const> nodes,
                           const std::vector<int>& axes) {
  SharedLayout layout;
  layout.kept.strides.resize(nodes.size());
  layout.outer.strides.resize(nodes.size());
  layout.inner_strides.resize(nodes.size(), 1);
  for (size_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i]->size > nodes[layout.leader]->size) layout.leader = i;
  }
  auto strides_along = [&](size_t axis) {
    Strides strides;
    for (const Node* node : nodes) strides.push_back(broadcast_stride(*node, shape, axis));
    return strides;
  };
  std::vector<size_t> reduced;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (std::binary_search(axes.begin(), axes.end(), static_cast<int>(axis))) {
      reduced.push_back(axis);
    } else {
      layout.kept.add(shape[axis], strides_along(axis));
    }
  }
  const Node& leader = *nodes[layout.leader];
  std::sort(reduced.begin(), reduced.end(), [&](size_t a, size_t b) {
    const auto left = order_of(broadcast_stride(leader, shape, a));
    const auto right = order_of(broadcast_stride(leader, shape, b));
    return left != right ? left > right : a < b;
  });
  for (const size_t axis : reduced) layout.outer.add(shape[axis], strides_along(axis));
  if (layout.outer.rank() == 0) return layout;
  layout.inner = static_cast<uint32_t>(layout.outer.shape.back());
  layout.outer.shape.pop_back();
  for (size_t i = 0; i < nodes.size(); ++i) {
    layout.inner_strides[i] = layout.outer.strides[i].back();
    layout.outer.strides[i].pop_back();
  }
  return layout;
}

ReduceLayout reduce_layout(const Node& node, const std::vector<int>& axes) {
  const Node* const nodes[] = {&node};
  SharedLayout shared = shared_layout(node.shape, nodes, axes);
  return {.kept = {std::move(shared.kept.shape), std::move(shared.kept.strides[0])},
          .outer = {std::move(shared.outer.shape), std::move(shared.outer.strides[0])},
          .inner = shared.inner,
          .inner_stride = shared.inner_strides[0]};
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
