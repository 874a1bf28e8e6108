// The product behind matmul2d. Simdgroups multiply blocks of 8x8 elements, in which a lane has two
// neighbours of one row (metal_simdgroup_matrix.h), and accumulate in float; sums of integers are
// exact.
#pragma once

#include "fragment_layout.h"

namespace mpp {
namespace tensor_ops {
namespace __assay {

using metal::__assay::from_lane;

constexpr constant int kBlockSize = 8;

// Which columns of a fragment its two blocks side by side have.
enum class column_order {
  neighbours,  // the left and the right half, as in memory
  quarters,    // the left and the right half of each quarter: as a lane has them of a fragment
};

// First column of the caller's two elements of a block.
template <column_order Order>
METAL_FUNC int block_column(int block) {
  const int quarter = int(lane_quarter());
  return Order == column_order::neighbours ? block * kBlockSize + quarter * 2
                                           : quarter * 4 + block * 2;
}

// An element of a fragment, whichever lane of the simdgroup has it. All lanes call together; `lower`
// is the same in all. The row counts from the first or the second eight (`lower`).
template <typename T>
METAL_FUNC T fragment_element(const thread T* fragment, bool lower, int row, int column) {
  const uint lane = lane_at(uint(row), uint(column) / 4);
  const thread T* slots = fragment + (lower ? 4 : 0);
  const T values[4] = {from_lane(slots[0], lane), from_lane(slots[1], lane),
                       from_lane(slots[2], lane), from_lane(slots[3], lane)};
  const T even = column & 2 ? values[2] : values[0];
  const T odd = column & 2 ? values[3] : values[1];
  return column & 1 ? odd : even;
}
// The same where all lanes ask for even or all for odd columns.
template <int Parity, typename T>
METAL_FUNC T fragment_element(const thread T* fragment, bool lower, int row, int column) {
  const uint lane = lane_at(uint(row), uint(column) / 4);
  const thread T* slots = fragment + (lower ? 4 : 0) + Parity;
  const T first = from_lane(slots[0], lane);
  const T second = from_lane(slots[2], lane);
  return column & 2 ? second : first;
}

// A row as a lane has it of a fragment (four neighbours) from the order of blocks, and back.
template <column_order Order, typename From, typename To>
METAL_FUNC void fragment_to_blocks(const thread From* fragment, thread To* blocks) {
#pragma unroll
  for (int half_index = 0; half_index < 2; ++half_index) {
    thread To* row = blocks + half_index * 4;
    if constexpr (Order == column_order::quarters) {
#pragma unroll
      for (int i = 0; i < 4; ++i) row[i] = To(fragment[half_index * 4 + i]);
    } else {
#pragma unroll
      for (int block = 0; block < 2; ++block) {
        const int column = block_column<Order>(block);
        row[block * 2] =
            To(fragment_element<0>(fragment, half_index != 0, int(lane_row()), column));
        row[block * 2 + 1] =
            To(fragment_element<1>(fragment, half_index != 0, int(lane_row()), column + 1));
      }
    }
  }
}
template <column_order Order, typename From, typename To>
METAL_FUNC void blocks_to_fragment(const thread From* blocks, thread To* fragment) {
  const uint quarter = lane_quarter();
#pragma unroll
  for (int i = 0; i < kSlotsPerFragment; ++i) {
    if constexpr (Order == column_order::quarters) {
      fragment[i] = To(blocks[i]);
    } else {
      const uint lane = lane_at(lane_row(), (quarter & 1) * 2 + uint(i & 3) / 2);
      const From left = from_lane(blocks[(i & 4) + (i & 1)], lane);
      const From right = from_lane(blocks[(i & 4) + 2 + (i & 1)], lane);
      fragment[i] = To(quarter & 2 ? right : left);
    }
  }
}

// The elements that a lane has of a fragment of a cooperative tensor.
template <typename Tensor>
METAL_FUNC const thread auto* fragment_of(const thread Tensor& tensor, int row, int column) {
  return tensor.elements_ + (row * Tensor::layout::own_columns + column) * kSlotsPerFragment;
}

struct block_elements {
  float first;
  float second;
};

// An element of an operand in memory; zero outside of it.
template <bool Transposed, typename Tensor>
METAL_FUNC float tensor_element(const thread Tensor& tensor, int row, int column, bool is_inside) {
  const metal::array<int, 2> at = {Transposed ? row : column, Transposed ? column : row};
  return is_inside && tensor.__contains(at) ? float(tensor.__read(at)) : 0.0f;
}

// The upper or lower block of the left operand for fragments `own_row` in the step from `k` on;
// `depth` is where the steps end.
template <typename Layout, bool Transposed, typename Tensor>
METAL_FUNC block_elements left_block(const thread Tensor& left, int own_row, int lower, int k,
                                     int depth) {
  const int row = int(lane_row());
  const int column = int(lane_quarter()) * 2;
  if constexpr (metal::is_cooperative_tensor_v<Tensor>) {
    const int k_fragment = k / kFragmentSize;
    const int k_lower = k / kBlockSize % 2;
    if constexpr (Transposed) {
      const thread auto* fragment = fragment_of(left, k_fragment, own_row);
      const int at = lower * kBlockSize + row;
      return {float(fragment_element(fragment, k_lower != 0, column, at)),
              float(fragment_element(fragment, k_lower != 0, column + 1, at))};
    } else {
      const thread auto* fragment = fragment_of(left, own_row, k_fragment);
      const int at = k_lower * kBlockSize + column;
      return {float(fragment_element<0>(fragment, lower != 0, row, at)),
              float(fragment_element<1>(fragment, lower != 0, row, at + 1))};
    }
  } else {
    const int at = Layout::fragment_row(own_row) + lower * kBlockSize + row;
    const bool is_inside = Layout::has_row(at);
    return {tensor_element<Transposed>(left, at, k + column, is_inside && k + column < depth),
            tensor_element<Transposed>(left, at, k + column + 1,
                                       is_inside && k + column + 1 < depth)};
  }
}

// One of the two blocks of the right operand for fragments `own_column` in that step.
template <typename Layout, bool Transposed, column_order Order, typename Tensor>
METAL_FUNC block_elements right_block(const thread Tensor& right, int own_column, int block, int k,
                                      int depth) {
  const int row = int(lane_row());
  if constexpr (metal::is_cooperative_tensor_v<Tensor>) {
    const int k_fragment = k / kFragmentSize;
    const int k_lower = k / kBlockSize % 2;
    if constexpr (Transposed) {
      const thread auto* fragment = fragment_of(right, own_column, k_fragment);
      const int at = int(lane_quarter()) * 2;
      const int column = k_lower * kBlockSize + row;
      return {float(fragment_element(fragment, block != 0, at, column)),
              float(fragment_element(fragment, block != 0, at + 1, column))};
    } else {
      const thread auto* slots =
          fragment_of(right, k_fragment, own_column) + k_lower * 4 + block * 2;
      return {float(slots[0]), float(slots[1])};
    }
  } else {
    const int column = Layout::fragment_column(own_column) + block_column<Order>(block);
    const bool is_inside = k + row < depth;
    return {tensor_element<Transposed>(right, k + row, column,
                                       is_inside && Layout::has_column(column)),
            tensor_element<Transposed>(right, k + row, column + 1,
                                       is_inside && Layout::has_column(column + 1))};
  }
}

template <typename Sum>
METAL_FUNC void add_product(thread Sum* sums, block_elements a, block_elements b) {
  float result[2];
  if constexpr (metal::is_same_v<Sum, float>) {
    metal::__assay::matmul(a.first, a.second, b.first, b.second, sums[0], sums[1], result);
    sums[0] = result[0];
    sums[1] = result[1];
  } else {
    metal::__assay::matmul(a.first, a.second, b.first, b.second, 0.0f, 0.0f, result);
    sums[0] += Sum(result[0]);
    sums[1] += Sum(result[1]);
  }
}

// Adds the product of eight columns of the left and eight rows of the right operand to the sums of
// the caller's fragments, which are in the order of blocks.
template <typename Layout, bool TransposedLeft, bool TransposedRight, column_order Order,
          typename Left, typename Right, typename Sum>
METAL_FUNC void add_step(const thread Left& left, const thread Right& right, int k, int depth,
                         thread Sum* sums) {
  block_elements a[Layout::own_rows * 2];
#pragma clang loop unroll_count(Layout::is_unrolled ? Layout::own_rows * 2 : 1)
  for (int i = 0; i < Layout::own_rows * 2; ++i) {
    a[i] = left_block<Layout, TransposedLeft>(left, i / 2, i % 2, k, depth);
  }
#pragma clang loop unroll_count(Layout::is_unrolled ? Layout::own_columns * 2 : 1)
  for (int j = 0; j < Layout::own_columns * 2; ++j) {
    const block_elements b =
        right_block<Layout, TransposedRight, Order>(right, j / 2, j % 2, k, depth);
#pragma clang loop unroll_count(Layout::is_unrolled ? Layout::own_rows * 2 : 1)
    for (int i = 0; i < Layout::own_rows * 2; ++i) {
      const int fragment = i / 2 * Layout::own_columns + j / 2;
      add_product(sums + fragment * kSlotsPerFragment + i % 2 * 4 + j % 2 * 2, a[i], b);
    }
  }
}

// Where an element of the sums is in the matrix; they are in the order of blocks.
template <typename Layout, column_order Order>
METAL_FUNC metal::array<int, 2> sum_coordinates(int i) {
  const int fragment = i / kSlotsPerFragment;
  const int row = Layout::fragment_row(fragment / Layout::own_columns) + (i & 4) * 2;
  const int column = Layout::fragment_column(fragment % Layout::own_columns);
  return {column + block_column<Order>((i & 2) / 2) + (i & 1), row + int(lane_row())};
}
template <typename Layout, typename Tensor>
METAL_FUNC bool has_element(const thread Tensor& tensor, metal::array<int, 2> at) {
  return Layout::has_column(at[0]) && Layout::has_row(at[1]) && tensor.__contains(at);
}

// What the sums start at: the destination's elements, or zero.
template <typename Layout, column_order Order, bool Accumulates, typename Destination,
          typename Sum>
METAL_FUNC void read_sums(const thread Destination& destination, thread Sum* sums) {
#pragma clang loop unroll_count(Layout::capacity <= kSlotsPerFragment ? Layout::capacity : 1)
  for (int i = 0; i < Layout::capacity; ++i) {
    sums[i] = Sum(0);
    if constexpr (Accumulates && !metal::is_cooperative_tensor_v<Destination>) {
      const metal::array<int, 2> at = sum_coordinates<Layout, Order>(i);
      if (has_element<Layout>(destination, at)) sums[i] = Sum(destination.__read(at));
    }
  }
  if constexpr (Accumulates && metal::is_cooperative_tensor_v<Destination>) {
#pragma clang loop unroll_count(Layout::is_unrolled ? Layout::capacity / kSlotsPerFragment : 1)
    for (int i = 0; i < Layout::capacity; i += kSlotsPerFragment) {
      fragment_to_blocks<Order>(destination.elements_ + i, sums + i);
    }
  }
}
template <typename Layout, column_order Order, typename Destination, typename Sum>
METAL_FUNC void write_sums(thread Destination& destination, const thread Sum* sums) {
  if constexpr (metal::is_cooperative_tensor_v<Destination>) {
#pragma clang loop unroll_count(Layout::is_unrolled ? Layout::capacity / kSlotsPerFragment : 1)
    for (int i = 0; i < Layout::capacity; i += kSlotsPerFragment) {
      blocks_to_fragment<Order>(sums + i, destination.elements_ + i);
    }
  } else {
#pragma clang loop unroll_count(Layout::capacity <= kSlotsPerFragment ? Layout::capacity : 1)
    for (int i = 0; i < Layout::capacity; ++i) {
      const metal::array<int, 2> at = sum_coordinates<Layout, Order>(i);
      if (has_element<Layout>(destination, at)) destination.__write(at, sums[i]);
    }
  }
}

// The product of one thread.
template <bool TransposedLeft, bool TransposedRight, typename Layout, typename Left,
          typename Right, typename Sum>
METAL_FUNC void add_thread_product(const thread Left& left, const thread Right& right, int depth,
                                   thread Sum* sums) {
  for (int i = 0; i < Layout::capacity; ++i) {
    const int row = i / Layout::columns;
    const int column = i % Layout::columns;
    for (int k = 0; k < depth; ++k) {
      sums[i] += Sum(tensor_element<TransposedLeft>(left, row, k, true)) *
                 Sum(tensor_element<TransposedRight>(right, k, column, true));
    }
  }
}

}  // namespace __assay
}  // namespace tensor_ops
}  // namespace mpp
