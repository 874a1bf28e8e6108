// matmul2d: products of matrices that lie in tensors or in the registers of the threads that
// multiply them.
#pragma once

#include "matrix_product.h"
#include "reductions.h"

namespace mpp {
namespace tensor_ops {

// A size that only the operands know.
template <typename T>
constexpr constant T dynamic_length_v = metal::numeric_limits<T>::max();

// destination (m x n) = left (m x k) * right (k x n), or += with multiply_accumulate. A transposed
// operand is (k x m), (n x k) in memory.
struct matmul2d_descriptor {
  enum class mode { multiply, multiply_accumulate };

  METAL_FUNC constexpr matmul2d_descriptor(int m, int n, int k = int(metal::dynamic_extent),
                                           bool transpose_left = false,
                                           bool transpose_right = false,
                                           bool relaxed_precision = false,
                                           mode matmul_mode = mode::multiply)
      : m(m),
        n(n),
        k(k),
        transpose_left(transpose_left),
        transpose_right(transpose_right),
        relaxed_precision(relaxed_precision),
        matmul_mode(matmul_mode) {}

  // As a template argument, which is no class in C++17: all of it in one number.
  METAL_FUNC constexpr operator ulong() const ASSAY_ANY {
    return pack(m, n, k, transpose_left, transpose_right, relaxed_precision, matmul_mode);
  }
  METAL_FUNC constexpr operator ulong() const constant {
    return pack(m, n, k, transpose_left, transpose_right, relaxed_precision, matmul_mode);
  }
  METAL_FUNC static constexpr matmul2d_descriptor __unpack(ulong packed) {
    const int k = int(packed >> 32 & (kDynamic - 1));
    return matmul2d_descriptor(int(packed & 0xffff), int(packed >> 16 & 0xffff), k ? k : -1,
                               packed >> 60 & 1, packed >> 61 & 1, packed >> 62 & 1,
                               packed >> 63 ? mode::multiply_accumulate : mode::multiply);
  }

  int m, n, k;  // k below 1 or from kDynamic on: the operands say
  bool transpose_left, transpose_right, relaxed_precision;
  mode matmul_mode;

 private:
  static constexpr constant int kDynamic = 1 << 28;

  METAL_FUNC static constexpr ulong pack(int m, int n, int k, bool left, bool right, bool relaxed,
                                         mode mode) {
    const bool is_static = k > 0 && k < kDynamic;
    return ulong(m & 0xffff) | ulong(n & 0xffff) << 16 | ulong(is_static ? k : 0) << 32 |
           ulong(left) << 60 | ulong(right) << 61 | ulong(relaxed) << 62 | ulong(mode) << 63;
  }
};

namespace __assay {

template <typename Scope, int Rows, int Columns>
struct scope_layout;
template <int Rows, int Columns>
struct scope_layout<metal::execution_threads<1>, Rows, Columns>
    : metal::type_identity<thread_layout<Rows, Columns>> {};
template <size_t Simdgroups, int Rows, int Columns>
struct scope_layout<metal::execution_simdgroups<Simdgroups>, Rows, Columns>
    : metal::type_identity<fragment_layout<Rows, Columns, int(Simdgroups)>> {};

template <typename Element, typename Index, typename Layout>
using matrix_tensor =
    metal::cooperative_tensor<Element,
                              metal::extents<Index, size_t(Layout::columns), size_t(Layout::rows)>,
                              Layout>;
template <typename Element, typename Index, typename Layout, bool IsRow>
using line_tensor =
    metal::cooperative_tensor<Element,
                              metal::extents<Index, size_t(IsRow ? Layout::rows : Layout::columns)>,
                              line_layout<Layout, IsRow>>;

// The inner size that an operand has: dimension 0 is a matrix's columns.
template <bool IsColumns, typename Operand>
METAL_FUNC int operand_depth(const thread Operand& operand) {
  if constexpr (metal::is_cooperative_tensor_v<Operand>) {
    return int(Operand::get_static_extent(IsColumns ? 0 : 1));
  } else {
    return int(operand.get_extent(IsColumns ? 0 : 1));
  }
}

}  // namespace __assay

// Descriptor: a matmul2d_descriptor. All threads of the scope run the operation together.
template <ulong Descriptor, typename Scope, typename... Args>
struct matmul2d {
  static constexpr constant matmul2d_descriptor descriptor =
      matmul2d_descriptor::__unpack(Descriptor);
  typedef Scope scope;

 private:
  static_assert(descriptor.m > 0 && descriptor.n > 0, "matmul2d needs the sizes m and n");
  static constexpr constant bool kIsThread = metal::is_same_v<Scope, metal::execution_thread>;
  static constexpr constant bool kAccumulates =
      descriptor.matmul_mode == matmul2d_descriptor::mode::multiply_accumulate;
  // What a cooperative operand has of a dimension whose size is not known.
  static constexpr constant int kDepth = descriptor.k > 0 ? descriptor.k : __assay::kFragmentSize;

  template <int Rows, int Columns>
  using layout_t = typename __assay::scope_layout<Scope, Rows, Columns>::type;
  typedef layout_t<descriptor.m, descriptor.n> destination_layout;
  typedef layout_t<descriptor.transpose_left ? kDepth : descriptor.m,
                   descriptor.transpose_left ? descriptor.m : kDepth>
      left_input_layout;
  typedef layout_t<descriptor.transpose_right ? descriptor.n : kDepth,
                   descriptor.transpose_right ? kDepth : descriptor.n>
      right_input_layout;

  template <typename Source>
  using enable_operand = metal::enable_if_t<metal::is_tensor_inline_v<Source> ||
                                            metal::is_cooperative_tensor_v<Source>>;

 public:
  matmul2d() = default;

  template <typename Left, typename Right, typename Element, typename Index = int,
            typename... Rest>
  using cooperative_tensor_left_input_t = __assay::matrix_tensor<Left, Index, left_input_layout>;
  template <typename Left, typename Right, typename Element, typename Index = int,
            typename... Rest>
  using cooperative_tensor_right_input_t = __assay::matrix_tensor<Right, Index, right_input_layout>;
  template <typename Left, typename Right, typename Element, typename Index = int,
            typename... Rest>
  using cooperative_tensor_destination_t =
      __assay::matrix_tensor<Element, Index, destination_layout>;
  template <typename Left, typename Right, typename Element, typename Index = int,
            typename... Rest>
  using cooperative_tensor_row_reduction_destination_t =
      __assay::line_tensor<Element, Index, destination_layout, true>;
  template <typename Left, typename Right, typename Element, typename Index = int,
            typename... Rest>
  using cooperative_tensor_column_reduction_destination_t =
      __assay::line_tensor<Element, Index, destination_layout, false>;

#define ASSAY_GET_TENSOR(name)                                                                     \
  template <typename Left, typename Right, typename Element, typename Index = int,                \
            typename... Rest>                                                                      \
  METAL_FUNC cooperative_tensor_##name##_t<Left, Right, Element, Index, Rest...>                   \
      get_##name##_cooperative_tensor() const ASSAY_ANY {                                          \
    return {};                                                                                     \
  }
  ASSAY_GET_TENSOR(left_input)
  ASSAY_GET_TENSOR(right_input)
  ASSAY_GET_TENSOR(destination)
  ASSAY_GET_TENSOR(row_reduction_destination)
  ASSAY_GET_TENSOR(column_reduction_destination)
#undef ASSAY_GET_TENSOR

  // An operand from the registers of another one, if it has the same shape.
#define ASSAY_CONVERT_TENSOR(name)                                                                 \
  template <typename Left, typename Right, typename Element, typename Index = int,                \
            typename... Rest, typename T, typename E, typename L>                                  \
  METAL_FUNC cooperative_tensor_##name##_t<Left, Right, Element, Index, Rest...>                   \
      get_##name##_cooperative_tensor(const thread metal::cooperative_tensor<T, E, L>& source)     \
          const ASSAY_ANY {                                                                        \
    static_assert(metal::is_same_v<L, name##_layout>,                                            \
                  "this cooperative tensor does not have the shape of the operand");               \
    cooperative_tensor_##name##_t<Left, Right, Element, Index, Rest...> result;                    \
    for (ushort i = 0; i < L::capacity; ++i) {                                                     \
      result[i] = typename decltype(result)::element_type(source[i]);                              \
    }                                                                                              \
    return result;                                                                                 \
  }                                                                                                \
  template <typename Left, typename Right, typename Element, typename T, typename E, typename L>   \
  METAL_FUNC bool is_compatible_as_##name(                                                         \
      const thread metal::cooperative_tensor<T, E, L>&) const ASSAY_ANY {                          \
    return metal::is_same_v<L, name##_layout>;                                                   \
  }
  ASSAY_CONVERT_TENSOR(left_input)
  ASSAY_CONVERT_TENSOR(right_input)
#undef ASSAY_CONVERT_TENSOR

  template <typename Left, typename Right, typename Destination,
            typename = enable_operand<Left>, typename = enable_operand<Right>,
            typename = enable_operand<Destination>>
  METAL_FUNC void run(const thread Left& left, const thread Right& right,
                      thread Destination& destination) const ASSAY_ANY {
    typedef metal::conditional_t<__is_integral(typename Destination::value_type), int, float> sum;
    sum sums[destination_layout::capacity];
    if constexpr (kIsThread) {
      run_in_thread(left, right, destination, sums);
    } else {
      run_in_simdgroups(left, right, destination, sums);
    }
  }

 private:
  template <typename Left, typename Right>
  METAL_FUNC static int depth(const thread Left& left, const thread Right& right) {
    if constexpr (descriptor.k > 0) return descriptor.k;
    if constexpr (!metal::is_cooperative_tensor_v<Left>) {
      return __assay::operand_depth<!descriptor.transpose_left>(left);
    } else {
      return __assay::operand_depth<descriptor.transpose_right>(right);
    }
  }

  template <typename Left, typename Right, typename Destination, typename Sum>
  METAL_FUNC static void run_in_thread(const thread Left& left, const thread Right& right,
                                       thread Destination& destination, thread Sum* sums) {
    static_assert(
        !metal::is_cooperative_tensor_v<Left> && !metal::is_cooperative_tensor_v<Right>,
        "the operands of a thread's product are tensors in memory");
    __assay::matrix_tensor<typename Destination::value_type, int, destination_layout> values;
    if constexpr (!kAccumulates) {
      for (int i = 0; i < destination_layout::capacity; ++i) values[i] = 0;
    } else if constexpr (metal::is_cooperative_tensor_v<Destination>) {
      for (int i = 0; i < destination_layout::capacity; ++i) values[i] = destination[i];
    } else {
      values.load(destination);
    }
    for (int i = 0; i < destination_layout::capacity; ++i) sums[i] = Sum(values[i]);
    __assay::add_thread_product<descriptor.transpose_left, descriptor.transpose_right,
                                destination_layout>(
        left, right, depth(left, right), sums);
    for (int i = 0; i < destination_layout::capacity; ++i) {
      values[i] = typename Destination::value_type(sums[i]);
    }
    if constexpr (metal::is_cooperative_tensor_v<Destination>) {
      for (int i = 0; i < destination_layout::capacity; ++i) destination[i] = values[i];
    } else {
      values.store(destination);
    }
  }

  template <typename Left, typename Right, typename Destination, typename Sum>
  METAL_FUNC static void run_in_simdgroups(const thread Left& left, const thread Right& right,
                                           thread Destination& destination, thread Sum* sums) {
    constexpr bool has_left = metal::is_cooperative_tensor_v<Left>;
    constexpr bool has_right = metal::is_cooperative_tensor_v<Right>;
    static_assert((!has_left && !has_right) || Scope::size() == 1,
                  "operands in registers belong to one simdgroup (execution_simdgroup)");
    constexpr __assay::column_order order = has_right && !descriptor.transpose_right
                                                ? __assay::column_order::quarters
                                                : __assay::column_order::neighbours;
    __assay::read_sums<destination_layout, order, kAccumulates>(destination, sums);
    if constexpr (has_left || has_right) {
      // The registers that a step reads are known when the loop is gone.
#pragma unroll
      for (int k = 0; k < kDepth; k += __assay::kBlockSize) {
        __assay::add_step<destination_layout, descriptor.transpose_left,
                          descriptor.transpose_right, order>(
            left, right, k, kDepth, sums);
      }
    } else {
      const int size = depth(left, right);
      for (int k = 0; k < size; k += __assay::kBlockSize) {
        __assay::add_step<destination_layout, descriptor.transpose_left,
                          descriptor.transpose_right, order>(
            left, right, k, size, sums);
      }
    }
    __assay::write_sums<destination_layout, order>(destination, sums);
  }
};

}  // namespace tensor_ops
}  // namespace mpp
