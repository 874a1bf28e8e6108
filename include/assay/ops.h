// Operations on arrays. All are lazy: they return at once, and compute when an array is evaluated.
// Names, arguments and promotion are those of MLX. A wrong argument throws std::invalid_argument.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/array.h"
#include "assay/stream.h"

namespace assay {

// --- element by element (the table in elementwise.def) ---------------------------------------

#define ASSAY_UNARY(name, rule, floating, integral, complex) \
  ASSAY_API array name(const array& a, StreamOrDevice s = {});
#define ASSAY_BINARY(name, rule, floating, integral, complex) \
  ASSAY_API array name(const array& a, const array& b, StreamOrDevice s = {});
#include "assay/elementwise.def"

ASSAY_API array astype(const array& a, Dtype dtype, StreamOrDevice s = {});
ASSAY_API array where(const array& condition, const array& x, const array& y,
                      StreamOrDevice s = {});
ASSAY_API array positive(const array& a, StreamOrDevice s = {});
ASSAY_API array reciprocal(const array& a, StreamOrDevice s = {});
ASSAY_API array round(const array& a, int decimals, StreamOrDevice s = {});
inline array round(const array& a, StreamOrDevice s = {}) { return round(a, 0, s); }
ASSAY_API array degrees(const array& a, StreamOrDevice s = {});
ASSAY_API array radians(const array& a, StreamOrDevice s = {});
ASSAY_API array clip(const array& a, const std::optional<array>& a_min = std::nullopt,
                     const std::optional<array>& a_max = std::nullopt, StreamOrDevice s = {});
ASSAY_API array nan_to_num(const array& a, float nan = 0.0f,
                           std::optional<float> posinf = std::nullopt,
                           std::optional<float> neginf = std::nullopt, StreamOrDevice s = {});
ASSAY_API std::vector<array> divmod(const array& a, const array& b, StreamOrDevice s = {});
// |a - b| <= atol + rtol * |b|, and equal infinities.
ASSAY_API array isclose(const array& a, const array& b, double rtol = 1e-5, double atol = 1e-8,
                        bool equal_nan = false, StreamOrDevice s = {});
ASSAY_API array allclose(const array& a, const array& b, double rtol = 1e-5, double atol = 1e-8,
                         bool equal_nan = false, StreamOrDevice s = {});
ASSAY_API array array_equal(const array& a, const array& b, bool equal_nan, StreamOrDevice s = {});
inline array array_equal(const array& a, const array& b, StreamOrDevice s = {}) {
  return array_equal(a, b, false, s);
}
ASSAY_API array stop_gradient(const array& a, StreamOrDevice s = {});

// --- creation --------------------------------------------------------------------------------

ASSAY_API array arange(double start, double stop, double step, Dtype dtype, StreamOrDevice s = {});
ASSAY_API array arange(double start, double stop, double step, StreamOrDevice s = {});
ASSAY_API array arange(double start, double stop, Dtype dtype, StreamOrDevice s = {});
ASSAY_API array arange(double start, double stop, StreamOrDevice s = {});
ASSAY_API array arange(double stop, Dtype dtype, StreamOrDevice s = {});
ASSAY_API array arange(double stop, StreamOrDevice s = {});
ASSAY_API array arange(int start, int stop, int step, StreamOrDevice s = {});
ASSAY_API array arange(int start, int stop, StreamOrDevice s = {});
ASSAY_API array arange(int stop, StreamOrDevice s = {});
ASSAY_API array linspace(double start, double stop, int num, bool endpoint, Dtype dtype = float32,
                         StreamOrDevice s = {});
inline array linspace(double start, double stop, int num = 50, Dtype dtype = float32,
                      StreamOrDevice s = {}) {
  return linspace(start, stop, num, true, dtype, s);
}
ASSAY_API array full(Shape shape, array values, Dtype dtype, StreamOrDevice s = {});
ASSAY_API array full(Shape shape, array values, StreamOrDevice s = {});
template <typename T>
  requires(!is_array_v<T>)
array full(Shape shape, T value, Dtype dtype, StreamOrDevice s = {}) {
  return full(std::move(shape), array(value, dtype), dtype, s);
}
template <typename T>
  requires(!is_array_v<T>)
array full(Shape shape, T value, StreamOrDevice s = {}) {
  return full(std::move(shape), array(value), s);
}
ASSAY_API array full_like(const array& a, array values, Dtype dtype, StreamOrDevice s = {});
ASSAY_API array full_like(const array& a, array values, StreamOrDevice s = {});
template <typename T>
  requires(!is_array_v<T>)
array full_like(const array& a, T value, Dtype dtype, StreamOrDevice s = {}) {
  return full_like(a, array(value, dtype), dtype, s);
}
template <typename T>
  requires(!is_array_v<T>)
array full_like(const array& a, T value, StreamOrDevice s = {}) {
  return full_like(a, array(value, a.dtype()), s);
}
ASSAY_API array zeros(const Shape& shape, Dtype dtype, StreamOrDevice s = {});
inline array zeros(const Shape& shape, StreamOrDevice s = {}) { return zeros(shape, float32, s); }
ASSAY_API array zeros_like(const array& a, Dtype dtype, StreamOrDevice s = {});
inline array zeros_like(const array& a, StreamOrDevice s = {}) {
  return zeros_like(a, a.dtype(), s);
}
ASSAY_API array ones(const Shape& shape, Dtype dtype, StreamOrDevice s = {});
inline array ones(const Shape& shape, StreamOrDevice s = {}) { return ones(shape, float32, s); }
ASSAY_API array ones_like(const array& a, Dtype dtype, StreamOrDevice s = {});
inline array ones_like(const array& a, StreamOrDevice s = {}) { return ones_like(a, a.dtype(), s); }
ASSAY_API array eye(int n, int m, int k, Dtype dtype, StreamOrDevice s = {});
inline array eye(int n, Dtype dtype, StreamOrDevice s = {}) { return eye(n, n, 0, dtype, s); }
inline array eye(int n, int m, StreamOrDevice s = {}) { return eye(n, m, 0, float32, s); }
inline array eye(int n, int m, int k, StreamOrDevice s = {}) { return eye(n, m, k, float32, s); }
inline array eye(int n, StreamOrDevice s = {}) { return eye(n, n, 0, float32, s); }
ASSAY_API array identity(int n, Dtype dtype, StreamOrDevice s = {});
inline array identity(int n, StreamOrDevice s = {}) { return identity(n, float32, s); }
ASSAY_API array tri(int n, int m, int k, Dtype dtype, StreamOrDevice s = {});
inline array tri(int n, Dtype dtype, StreamOrDevice s = {}) { return tri(n, n, 0, dtype, s); }
ASSAY_API array tril(array x, int k = 0, StreamOrDevice s = {});
ASSAY_API array triu(array x, int k = 0, StreamOrDevice s = {});
ASSAY_API array diag(const array& a, int k = 0, StreamOrDevice s = {});
ASSAY_API array diagonal(const array& a, int offset = 0, int axis1 = 0, int axis2 = 1,
                         StreamOrDevice s = {});
ASSAY_API std::vector<array> meshgrid(const std::vector<array>& arrays, bool sparse = false,
                                      const std::string& indexing = "xy", StreamOrDevice s = {});

// --- shape -----------------------------------------------------------------------------------

ASSAY_API array reshape(const array& a, Shape shape, StreamOrDevice s = {});
ASSAY_API array flatten(const array& a, int start_axis, int end_axis = -1, StreamOrDevice s = {});
ASSAY_API array flatten(const array& a, StreamOrDevice s = {});
ASSAY_API array unflatten(const array& a, int axis, Shape shape, StreamOrDevice s = {});
ASSAY_API array squeeze(const array& a, const std::vector<int>& axes, StreamOrDevice s = {});
inline array squeeze(const array& a, int axis, StreamOrDevice s = {}) {
  return squeeze(a, std::vector<int>{axis}, s);
}
ASSAY_API array squeeze(const array& a, StreamOrDevice s = {});
ASSAY_API array expand_dims(const array& a, const std::vector<int>& axes, StreamOrDevice s = {});
inline array expand_dims(const array& a, int axis, StreamOrDevice s = {}) {
  return expand_dims(a, std::vector<int>{axis}, s);
}
ASSAY_API array transpose(const array& a, std::vector<int> axes, StreamOrDevice s = {});
inline array transpose(const array& a, std::initializer_list<int> axes, StreamOrDevice s = {}) {
  return transpose(a, std::vector<int>(axes), s);
}
ASSAY_API array transpose(const array& a, StreamOrDevice s = {});
ASSAY_API array swapaxes(const array& a, int axis1, int axis2, StreamOrDevice s = {});
ASSAY_API array moveaxis(const array& a, int source, int destination, StreamOrDevice s = {});
ASSAY_API array broadcast_to(const array& a, const Shape& shape, StreamOrDevice s = {});
ASSAY_API std::vector<array> broadcast_arrays(const std::vector<array>& inputs,
                                              StreamOrDevice s = {});
ASSAY_API Shape broadcast_shapes(const Shape& a, const Shape& b);
ASSAY_API array as_strided(array a, Shape shape, Strides strides, size_t offset,
                           StreamOrDevice s = {});
// A copy with rows that follow one another, unless they already do.
ASSAY_API array contiguous(const array& a, bool allow_col_major = false, StreamOrDevice s = {});
ASSAY_API array copy(array a, StreamOrDevice s = {});
// The same bytes as elements of another type.
ASSAY_API array view(const array& a, const Dtype& dtype, StreamOrDevice s = {});
ASSAY_API array slice(const array& a, Shape start, Shape stop, Shape strides,
                      StreamOrDevice s = {});
inline array slice(const array& a, Shape start, Shape stop, StreamOrDevice s = {}) {
  return slice(a, std::move(start), std::move(stop), Shape(a.ndim(), 1), s);
}
// Braces around numbers are a shape, not an array.
inline array slice(const array& a, std::initializer_list<int> start, Shape stop, Shape strides,
                   StreamOrDevice s = {}) {
  return slice(a, Shape(start), std::move(stop), std::move(strides), s);
}
// Slices whose start is itself an array, one number per axis in `axes`.
ASSAY_API array slice(const array& a, const array& start, std::vector<int> axes, Shape slice_size,
                      StreamOrDevice s = {});
ASSAY_API array slice_update(const array& source, const array& update, Shape start, Shape stop,
                             Shape strides, StreamOrDevice s = {});
inline array slice_update(const array& source, const array& update, Shape start, Shape stop,
                          StreamOrDevice s = {}) {
  return slice_update(source, update, std::move(start), std::move(stop), Shape(source.ndim(), 1),
                      s);
}
ASSAY_API array slice_update(const array& source, const array& update, const array& start,
                             std::vector<int> axes, StreamOrDevice s = {});
// What the slice holds, combined with the update.
ASSAY_API array slice_update_add(const array& source, const array& update, Shape start, Shape stop,
                                 Shape strides, StreamOrDevice s = {});
ASSAY_API array slice_update_add(const array& source, const array& update, Shape start, Shape stop,
                                 StreamOrDevice s = {});
ASSAY_API array slice_update_prod(const array& source, const array& update, Shape start, Shape stop,
                                  Shape strides, StreamOrDevice s = {});
ASSAY_API array slice_update_prod(const array& source, const array& update, Shape start, Shape stop,
                                  StreamOrDevice s = {});
ASSAY_API array slice_update_max(const array& source, const array& update, Shape start, Shape stop,
                                 Shape strides, StreamOrDevice s = {});
ASSAY_API array slice_update_max(const array& source, const array& update, Shape start, Shape stop,
                                 StreamOrDevice s = {});
ASSAY_API array slice_update_min(const array& source, const array& update, Shape start, Shape stop,
                                 Shape strides, StreamOrDevice s = {});
ASSAY_API array slice_update_min(const array& source, const array& update, Shape start, Shape stop,
                                 StreamOrDevice s = {});
ASSAY_API std::vector<array> split(const array& a, int num_splits, int axis, StreamOrDevice s = {});
ASSAY_API std::vector<array> split(const array& a, const Shape& indices, int axis,
                                   StreamOrDevice s = {});
inline std::vector<array> split(const array& a, int num_splits, StreamOrDevice s = {}) {
  return split(a, num_splits, 0, s);
}
inline std::vector<array> split(const array& a, const Shape& indices, StreamOrDevice s = {}) {
  return split(a, indices, 0, s);
}
ASSAY_API array concatenate(std::vector<array> arrays, int axis, StreamOrDevice s = {});
ASSAY_API array concatenate(std::vector<array> arrays, StreamOrDevice s = {});
ASSAY_API array stack(const std::vector<array>& arrays, int axis, StreamOrDevice s = {});
inline array stack(const std::vector<array>& arrays, StreamOrDevice s = {}) {
  return stack(arrays, 0, s);
}
ASSAY_API std::vector<array> unstack(const array& a, int axis = 0, StreamOrDevice s = {});
ASSAY_API array repeat(const array& a, int repeats, int axis, StreamOrDevice s = {});
ASSAY_API array repeat(const array& a, int repeats, StreamOrDevice s = {});
// Differences of neighbours along an axis, n times.
ASSAY_API array diff(const array& a, int n = 1, int axis = -1, StreamOrDevice s = {});
ASSAY_API array tile(const array& a, std::vector<int> repeats, StreamOrDevice s = {});
ASSAY_API array pad(const array& a, const std::vector<int>& axes, const Shape& low,
                    const Shape& high, const array& value = array(0),
                    const std::string& mode = "constant", StreamOrDevice s = {});
ASSAY_API array pad(const array& a, const std::vector<std::pair<int, int>>& width,
                    const array& value = array(0), const std::string& mode = "constant",
                    StreamOrDevice s = {});
ASSAY_API array pad(const array& a, const std::pair<int, int>& width, const array& value = array(0),
                    const std::string& mode = "constant", StreamOrDevice s = {});
ASSAY_API array pad(const array& a, int width, const array& value = array(0),
                    const std::string& mode = "constant", StreamOrDevice s = {});
ASSAY_API array roll(const array& a, int shift, StreamOrDevice s = {});
ASSAY_API array roll(const array& a, const Shape& shift, StreamOrDevice s = {});
ASSAY_API array roll(const array& a, int shift, int axis, StreamOrDevice s = {});
ASSAY_API array roll(const array& a, int shift, const std::vector<int>& axes,
                     StreamOrDevice s = {});
ASSAY_API array roll(const array& a, const Shape& shift, int axis, StreamOrDevice s = {});
ASSAY_API array roll(const array& a, const Shape& shift, const std::vector<int>& axes,
                     StreamOrDevice s = {});
ASSAY_API array flip(const array& a, const std::vector<int>& axes, StreamOrDevice s = {});
ASSAY_API array flip(const array& a, int axis, StreamOrDevice s = {});
ASSAY_API array flip(const array& a, StreamOrDevice s = {});
ASSAY_API array atleast_1d(const array& a, StreamOrDevice s = {});
ASSAY_API array atleast_2d(const array& a, StreamOrDevice s = {});
ASSAY_API array atleast_3d(const array& a, StreamOrDevice s = {});
ASSAY_API std::vector<array> atleast_1d(const std::vector<array>& arrays, StreamOrDevice s = {});
ASSAY_API std::vector<array> atleast_2d(const std::vector<array>& arrays, StreamOrDevice s = {});
ASSAY_API std::vector<array> atleast_3d(const std::vector<array>& arrays, StreamOrDevice s = {});

// --- reductions ------------------------------------------------------------------------------

// Each over all axes, over one, or over several.
#define ASSAY_REDUCTION(name)                                                                   \
  ASSAY_API array name(const array& a, const std::vector<int>& axes, bool keepdims = false,     \
                       StreamOrDevice s = {});                                                  \
  ASSAY_API array name(const array& a, bool keepdims, StreamOrDevice s = {});                   \
  ASSAY_API array name(const array& a, int axis, bool keepdims = false, StreamOrDevice s = {}); \
  inline array name(const array& a, StreamOrDevice s = {}) { return name(a, false, s); }
ASSAY_REDUCTION(sum)
ASSAY_REDUCTION(prod)
ASSAY_REDUCTION(mean)
ASSAY_REDUCTION(min)
ASSAY_REDUCTION(max)
ASSAY_REDUCTION(all)
ASSAY_REDUCTION(any)
ASSAY_REDUCTION(logsumexp)
ASSAY_REDUCTION(median)
ASSAY_REDUCTION(count_nonzero)
#undef ASSAY_REDUCTION
ASSAY_API array var(const array& a, bool keepdims, int ddof = 0, StreamOrDevice s = {});
inline array var(const array& a, StreamOrDevice s = {}) { return var(a, false, 0, s); }
ASSAY_API array var(const array& a, const std::vector<int>& axes, bool keepdims = false,
                    int ddof = 0, StreamOrDevice s = {});
ASSAY_API array var(const array& a, int axis, bool keepdims = false, int ddof = 0,
                    StreamOrDevice s = {});
ASSAY_API array std(const array& a, bool keepdims, int ddof = 0, StreamOrDevice s = {});
inline array std(const array& a, StreamOrDevice s = {}) { return assay::std(a, false, 0, s); }
ASSAY_API array std(const array& a, const std::vector<int>& axes, bool keepdims = false,
                    int ddof = 0, StreamOrDevice s = {});
ASSAY_API array std(const array& a, int axis, bool keepdims = false, int ddof = 0,
                    StreamOrDevice s = {});
ASSAY_API array argmin(const array& a, bool keepdims, StreamOrDevice s = {});
inline array argmin(const array& a, StreamOrDevice s = {}) { return argmin(a, false, s); }
ASSAY_API array argmin(const array& a, int axis, bool keepdims = false, StreamOrDevice s = {});
ASSAY_API array argmax(const array& a, bool keepdims, StreamOrDevice s = {});
inline array argmax(const array& a, StreamOrDevice s = {}) { return argmax(a, false, s); }
ASSAY_API array argmax(const array& a, int axis, bool keepdims = false, StreamOrDevice s = {});
ASSAY_API array softmax(const array& a, const std::vector<int>& axes, bool precise = false,
                        StreamOrDevice s = {});
ASSAY_API array softmax(const array& a, bool precise = false, StreamOrDevice s = {});
inline array softmax(const array& a, int axis, bool precise = false, StreamOrDevice s = {}) {
  return softmax(a, std::vector<int>{axis}, precise, s);
}
// How many elements lie along the axes, or one over that. Functions compiled for several shapes
// count anew.
ASSAY_API array number_of_elements(const array& a, std::vector<int> axes, bool inverted,
                                   Dtype dtype = int32, StreamOrDevice s = {});

// Running results along one axis, or over the flattened array.
#define ASSAY_SCAN(name)                                                                      \
  ASSAY_API array name(const array& a, bool reverse = false, bool inclusive = true,           \
                       StreamOrDevice s = {});                                                \
  ASSAY_API array name(const array& a, int axis, bool reverse = false, bool inclusive = true, \
                       StreamOrDevice s = {});
ASSAY_SCAN(cumsum)
ASSAY_SCAN(cumprod)
ASSAY_SCAN(cummax)
ASSAY_SCAN(cummin)
ASSAY_SCAN(logcumsumexp)
#undef ASSAY_SCAN

// --- indexing and order ----------------------------------------------------------------------

ASSAY_API array take(const array& a, const array& indices, int axis, StreamOrDevice s = {});
ASSAY_API array take(const array& a, const array& indices, StreamOrDevice s = {});
ASSAY_API array take(const array& a, int index, int axis, StreamOrDevice s = {});
ASSAY_API array take(const array& a, int index, StreamOrDevice s = {});
ASSAY_API array take_along_axis(const array& a, const array& indices, int axis,
                                StreamOrDevice s = {});
ASSAY_API array put_along_axis(const array& a, const array& indices, const array& values, int axis,
                               StreamOrDevice s = {});
ASSAY_API array scatter_add_axis(const array& a, const array& indices, const array& values,
                                 int axis, StreamOrDevice s = {});
// Slices of size `slice_sizes` that begin where `indices` say along `axes`. The result has the
// indices' broadcast shape followed by `slice_sizes`.
ASSAY_API array gather(const array& a, const std::vector<array>& indices,
                       const std::vector<int>& axes, const Shape& slice_sizes,
                       StreamOrDevice s = {});
inline array gather(const array& a, const array& indices, int axis, const Shape& slice_sizes,
                    StreamOrDevice s = {}) {
  return gather(a, std::vector<array>{indices}, std::vector<int>{axis}, slice_sizes, s);
}
// A copy of `a` with updates written (or combined) at slices that begin where `indices` say.
// `updates` has the indices' broadcast shape followed by one axis per axis of `a`.
#define ASSAY_SCATTER(name)                                                                     \
  ASSAY_API array name(const array& a, const std::vector<array>& indices, const array& updates, \
                       const std::vector<int>& axes, StreamOrDevice s = {});                    \
  inline array name(const array& a, const array& indices, const array& updates, int axis,       \
                    StreamOrDevice s = {}) {                                                    \
    return name(a, std::vector<array>{indices}, updates, std::vector<int>{axis}, s);            \
  }
ASSAY_SCATTER(scatter)
ASSAY_SCATTER(scatter_add)
ASSAY_SCATTER(scatter_prod)
ASSAY_SCATTER(scatter_max)
ASSAY_SCATTER(scatter_min)
#undef ASSAY_SCATTER
// `a` with the elements where `mask` is true replaced by those of `source`, in order.
ASSAY_API array masked_scatter(const array& a, const array& mask, const array& source,
                               StreamOrDevice s = {});
// Each over the flattened array or along one axis.
#define ASSAY_ORDER(name)                                      \
  ASSAY_API array name(const array& a, StreamOrDevice s = {}); \
  ASSAY_API array name(const array& a, int axis, StreamOrDevice s = {});
ASSAY_ORDER(sort)
ASSAY_ORDER(argsort)
#undef ASSAY_ORDER
#define ASSAY_PARTITION(name)                                           \
  ASSAY_API array name(const array& a, int kth, StreamOrDevice s = {}); \
  ASSAY_API array name(const array& a, int kth, int axis, StreamOrDevice s = {});
ASSAY_PARTITION(partition)
ASSAY_PARTITION(argpartition)
ASSAY_PARTITION(topk)
#undef ASSAY_PARTITION
ASSAY_API array searchsorted(const array& sorted, const array& values, bool right = false,
                             StreamOrDevice s = {});

// --- linear algebra --------------------------------------------------------------------------

ASSAY_API array matmul(const array& a, const array& b, StreamOrDevice s = {});
// alpha * (a @ b) + beta * c
ASSAY_API array addmm(array c, array a, array b, const float& alpha = 1.0f,
                      const float& beta = 1.0f, StreamOrDevice s = {});
ASSAY_API array inner(const array& a, const array& b, StreamOrDevice s = {});
ASSAY_API array outer(const array& a, const array& b, StreamOrDevice s = {});
ASSAY_API array tensordot(const array& a, const array& b, int axis = 2, StreamOrDevice s = {});
ASSAY_API array tensordot(const array& a, const array& b, const std::vector<int>& axes_a,
                          const std::vector<int>& axes_b, StreamOrDevice s = {});
ASSAY_API array einsum(const std::string& subscripts, const std::vector<array>& operands,
                       StreamOrDevice s = {});
ASSAY_API array vecdot(const array& a, const array& b, int axis = -1, StreamOrDevice s = {});
ASSAY_API array trace(const array& a, int offset, int axis1, int axis2, Dtype dtype,
                      StreamOrDevice s = {});
ASSAY_API array trace(const array& a, int offset, int axis1, int axis2, StreamOrDevice s = {});
ASSAY_API array trace(const array& a, StreamOrDevice s = {});
ASSAY_API array kron(const array& a, const array& b, StreamOrDevice s = {});

// --- operators -------------------------------------------------------------------------------

template <typename T>
concept ArrayScalar = std::is_arithmetic_v<T> || std::is_same_v<T, float16_t> ||
                      std::is_same_v<T, bfloat16_t> || std::is_same_v<T, complex64_t>;

#define ASSAY_OPERATOR(symbol, name)                                                  \
  inline array operator symbol(const array& a, const array& b) { return name(a, b); } \
  template <ArrayScalar T>                                                            \
  array operator symbol(T a, const array& b) {                                        \
    return name(array(a), b);                                                         \
  }                                                                                   \
  template <ArrayScalar T>                                                            \
  array operator symbol(const array& a, T b) {                                        \
    return name(a, array(b));                                                         \
  }
ASSAY_OPERATOR(+, add)
ASSAY_OPERATOR(-, subtract)
ASSAY_OPERATOR(*, multiply)
ASSAY_OPERATOR(/, divide)
ASSAY_OPERATOR(%, remainder)
ASSAY_OPERATOR(==, equal)
ASSAY_OPERATOR(!=, not_equal)
ASSAY_OPERATOR(<, less)
ASSAY_OPERATOR(<=, less_equal)
ASSAY_OPERATOR(>, greater)
ASSAY_OPERATOR(>=, greater_equal)
ASSAY_OPERATOR(&&, logical_and)
ASSAY_OPERATOR(||, logical_or)
ASSAY_OPERATOR(&, bitwise_and)
ASSAY_OPERATOR(|, bitwise_or)
ASSAY_OPERATOR(^, bitwise_xor)
ASSAY_OPERATOR(<<, left_shift)
ASSAY_OPERATOR(>>, right_shift)
#undef ASSAY_OPERATOR
inline array operator-(const array& a) { return negative(a); }
inline array operator!(const array& a) { return logical_not(a); }
inline array operator~(const array& a) { return bitwise_invert(a); }

}  // namespace assay
