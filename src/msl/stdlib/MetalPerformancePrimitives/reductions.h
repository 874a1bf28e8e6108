// Sums and extremes over the rows or columns of a matrix in the registers of a simdgroup.
#pragma once

#include "fragment_layout.h"

namespace mpp {
namespace tensor_ops {

enum class reduction_operation { sum, max, min };

template <typename T>
struct reduction_operation_identity {
  static constexpr constant T sum_identity = T(0);
  static constexpr constant T max_identity = metal::numeric_limits<T>::lowest();
  static constexpr constant T min_identity = metal::numeric_limits<T>::max();
};

namespace __assay {

template <typename T>
METAL_FUNC T reduced(T a, T b, reduction_operation operation) {
  if (operation == reduction_operation::sum) return a + b;
  return operation == reduction_operation::max ? metal::max(a, b) : metal::min(a, b);
}

template <bool IsRow, typename Source, typename Destination>
METAL_FUNC void reduce_lines(const thread Source& source, thread Destination& destination,
                             reduction_operation operation,
                             typename Destination::element_type identity) {
  typedef typename Source::layout matrix;
  typedef typename Destination::layout lines;
  static_assert(matrix::simdgroups == 1, "reductions are for execution_simdgroup");
  static_assert(metal::is_same_v<lines, line_layout<matrix, IsRow>>,
                "this destination is not for the rows or columns of this matrix");
#pragma unroll
  for (ushort line = 0; line < lines::capacity; ++line) destination[line] = identity;
#pragma clang loop unroll_count(matrix::is_unrolled ? matrix::capacity : 1)
  for (ushort i = 0; i < matrix::capacity; ++i) {
    const ushort line = lines::template map_index<matrix>(i);
    const auto value = matrix::is_valid(i) ? source[i] : identity;
    destination[line] = reduced(destination[line], value, operation);
  }
  // Lanes that differ in these bits have elements of the same line.
  const metal::array<ushort, 3> bits = {ushort(IsRow ? 1 : 2), ushort(IsRow ? 8 : 4), 16};
#pragma unroll
  for (ushort line = 0; line < lines::capacity; ++line) {
    auto value = destination[line];
#pragma unroll
    for (int i = 0; i < (IsRow ? 2 : 3); ++i) {
      value = reduced(value, metal::simd_shuffle_xor(value, bits[i]), operation);
    }
    destination[line] = value;
  }
}

}  // namespace __assay

// Each row (column) of the source to one element, starting at `identity`.
template <typename T, typename SourceExtents, typename Extents, typename Source, typename Layout>
METAL_FUNC void reduce_rows(
    thread metal::cooperative_tensor<T, SourceExtents, Source>& source,
    thread metal::cooperative_tensor<T, Extents, Layout>& destination,
    reduction_operation operation = reduction_operation::sum,
    T identity = reduction_operation_identity<T>::sum_identity) {
  __assay::reduce_lines<true>(source, destination, operation, identity);
}
template <typename T, typename SourceExtents, typename Extents, typename Source, typename Layout>
METAL_FUNC void reduce_columns(
    thread metal::cooperative_tensor<T, SourceExtents, Source>& source,
    thread metal::cooperative_tensor<T, Extents, Layout>& destination,
    reduction_operation operation = reduction_operation::sum,
    T identity = reduction_operation_identity<T>::sum_identity) {
  __assay::reduce_lines<false>(source, destination, operation, identity);
}

// Whether destination.map_iterator takes iterators of the source.
template <typename A, typename B, typename SourceExtents, typename Extents, typename Source,
          typename Layout>
METAL_FUNC bool is_iterator_compatible(
    const thread metal::cooperative_tensor<A, SourceExtents, Source>&,
    const thread metal::cooperative_tensor<B, Extents, Layout>&) {
  return metal::is_same_v<Source, Layout> ||
         metal::is_same_v<Layout, __assay::line_layout<Source, true>> ||
         metal::is_same_v<Layout, __assay::line_layout<Source, false>>;
}

}  // namespace tensor_ops
}  // namespace mpp
