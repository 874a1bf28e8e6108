// Products of matrices and vectors, made of matmul and element-wise ops.
#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "assay/ops.h"
#include "fmt/format.h"
#include "ops/axes.h"
#include "ops/element_types.h"
#include "ops/elementwise.h"
#include "ops/matmul.h"

namespace assay {
namespace {

Shape leading_axes(const array& a) { return Shape(a.shape().begin(), a.shape().end() - 2); }

Shape join(Shape head, std::initializer_list<ShapeElem> tail) {
  head.insert(head.end(), tail);
  return head;
}

int64_t product(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

}  // namespace

namespace {

// The product in the type it is computed in: 16-bit types are not rounded yet.
array wide_matmul(const array& a, const array& b, const StreamOrDevice& s) {
  if (a.ndim() == 0 || b.ndim() == 0) {
    throw std::invalid_argument(
        fmt::format("[matmul] Got 0 dimension input. Inputs must have at least one dimension. Got "
                    "shapes {} and {}.",
                    describe_shape(a.shape()), describe_shape(b.shape())));
  }
  const array left = a.ndim() == 1 ? expand_dims(a, 0, s) : a;
  const array right = b.ndim() == 1 ? expand_dims(b, 1, s) : b;
  if (left.shape(-1) != right.shape(-2)) {
    throw std::invalid_argument(
        fmt::format("[matmul] Last dimension of first input with shape {} must match second to "
                    "last dimension of second input with shape {}.",
                    describe_shape(a.shape()), describe_shape(b.shape())));
  }
  const Dtype dtype = promote_types(a.dtype(), b.dtype());
  if (!issubdtype(dtype, inexact)) {
    throw std::invalid_argument(
        fmt::format("[matmul] Only inexact types are supported but {} and {} were provided which "
                    "results in {}, which is not inexact.",
                    dtype_name(a.dtype()), dtype_name(b.dtype()), dtype_name(dtype)));
  }
  const Dtype compute = compute_type(dtype);
  array x = astype(left, compute, s), y = astype(right, compute, s);
  Shape batch = leading_axes(x);
  if (right.ndim() == 2 && left.ndim() > 2) {
    // One product of all rows instead of a batch of small ones.
    x = reshape(x, {static_cast<ShapeElem>(product(batch) * x.shape(-2)), x.shape(-1)}, s);
  } else if (leading_axes(x) != leading_axes(y)) {
    batch = broadcast_shapes(leading_axes(x), leading_axes(y));
    x = broadcast_to(x, join(batch, {x.shape(-2), x.shape(-1)}), s);
    y = broadcast_to(y, join(batch, {y.shape(-2), y.shape(-1)}), s);
  }
  Shape shape = x.shape();
  shape.back() = y.shape(-1);
  array result = make_array(shape, compute, std::make_shared<Matmul>(), {x, y}, s);
  result = reshape(result, join(batch, {left.shape(-2), right.shape(-1)}), s);
  if (a.ndim() == 1) result = squeeze(result, -2, s);
  return b.ndim() == 1 ? squeeze(result, -1, s) : result;
}

}  // namespace

array matmul(const array& a, const array& b, StreamOrDevice s) {
  return astype(wide_matmul(a, b, s), promote_types(a.dtype(), b.dtype()), s);
}

array addmm(array c, array a, array b, const float& alpha, const float& beta, StreamOrDevice s) {
  array result = wide_matmul(a, b, s);
  if (broadcast_shapes(c.shape(), result.shape()) != result.shape()) {
    throw std::invalid_argument(
        fmt::format("[addmm] Shape {} cannot be added to a product of shape {}.",
                    describe_shape(c.shape()), describe_shape(result.shape())));
  }
  const Dtype dtype = promote_types(promote_types(a.dtype(), b.dtype()), c.dtype());
  const Dtype compute = promote_types(result.dtype(), c.dtype());
  if (alpha != 1.0f) result = multiply(array(alpha, compute), result, s);
  array scaled = astype(c, compute, s);
  if (beta != 1.0f) scaled = multiply(array(beta, compute), scaled, s);
  return astype(add(result, scaled, s), dtype, s);
}

array tensordot(const array& a, const array& b, const std::vector<int>& axes_a,
                const std::vector<int>& axes_b, StreamOrDevice s) {
  if (axes_a.size() != axes_b.size()) {
    throw std::invalid_argument("[tensordot] axes must have the same size.");
  }
  std::vector<int> summed_a, summed_b;
  for (size_t i = 0; i < axes_a.size(); ++i) {
    summed_a.push_back(normalize_axis(axes_a[i], a.ndim(), "tensordot"));
    summed_b.push_back(normalize_axis(axes_b[i], b.ndim(), "tensordot"));
    if (a.shape(summed_a.back()) != b.shape(summed_b.back())) {
      throw std::invalid_argument(
          "[tensordot] a and b must have the same shape on the contracted axes.");
    }
  }
  std::vector<int> order_a, order_b = summed_b;
  Shape shape;
  for (int i = 0; i < static_cast<int>(a.ndim()); ++i) {
    if (std::find(summed_a.begin(), summed_a.end(), i) != summed_a.end()) continue;
    order_a.push_back(i);
    shape.push_back(a.shape(i));
  }
  const auto rows = static_cast<ShapeElem>(product(shape));
  order_a.insert(order_a.end(), summed_a.begin(), summed_a.end());
  Shape behind;
  for (int i = 0; i < static_cast<int>(b.ndim()); ++i) {
    if (std::find(summed_b.begin(), summed_b.end(), i) != summed_b.end()) continue;
    order_b.push_back(i);
    behind.push_back(b.shape(i));
  }
  ShapeElem inner = 1;
  for (const int axis : summed_a) inner *= a.shape(axis);
  const array left = reshape(transpose(a, order_a, s), {rows, inner}, s);
  const array right =
      reshape(transpose(b, order_b, s), {inner, static_cast<ShapeElem>(product(behind))}, s);
  shape.insert(shape.end(), behind.begin(), behind.end());
  return reshape(matmul(left, right, s), std::move(shape), s);
}

array tensordot(const array& a, const array& b, int axis, StreamOrDevice s) {
  if (axis < 0 || static_cast<size_t>(axis) > std::min(a.ndim(), b.ndim())) {
    throw std::invalid_argument("[tensordot] axis must be between 0 and the number of dimensions.");
  }
  std::vector<int> axes_a, axes_b;
  for (int i = 0; i < axis; ++i) {
    axes_a.push_back(static_cast<int>(a.ndim()) - axis + i);
    axes_b.push_back(i);
  }
  return tensordot(a, b, axes_a, axes_b, s);
}

array inner(const array& a, const array& b, StreamOrDevice s) {
  if (a.ndim() == 0 || b.ndim() == 0) return multiply(a, b, s);
  if (a.shape(-1) != b.shape(-1)) {
    throw std::invalid_argument("[inner] a and b must have the same last dimension.");
  }
  return tensordot(a, b, {-1}, {-1}, s);
}

array outer(const array& a, const array& b, StreamOrDevice s) {
  return multiply(reshape(a, {static_cast<ShapeElem>(a.size()), 1}, s), flatten(b, s), s);
}

array vecdot(const array& a, const array& b, int axis, StreamOrDevice s) {
  if (a.ndim() == 0 || b.ndim() == 0) {
    throw std::invalid_argument("[vecdot] Inputs must have at least one dimension.");
  }
  if (axis >= 0) normalize_axis(axis, std::min(a.ndim(), b.ndim()), "vecdot");
  if (a.shape(axis) != b.shape(axis)) {
    throw std::invalid_argument(
        fmt::format("[vecdot] The axis has size {} in one input and {} in the other.",
                    a.shape(axis), b.shape(axis)));
  }
  return sum(multiply(conjugate(a, s), b, s), axis, false, s);
}

array trace(const array& a, int offset, int axis1, int axis2, Dtype dtype, StreamOrDevice s) {
  return sum(astype(diagonal(a, offset, axis1, axis2, s), dtype, s), -1, false, s);
}
array trace(const array& a, int offset, int axis1, int axis2, StreamOrDevice s) {
  return trace(a, offset, axis1, axis2, a.dtype(), s);
}
array trace(const array& a, StreamOrDevice s) { return trace(a, 0, 0, 1, s); }

array kron(const array& a, const array& b, StreamOrDevice s) {
  if (a.size() == 0 || b.size() == 0)
    throw std::invalid_argument("[kron] Input arrays cannot be empty.");
  const size_t rank = std::max(a.ndim(), b.ndim());
  Shape shape_a(rank - a.ndim(), 1), shape_b(rank - b.ndim(), 1), shape;
  shape_a.insert(shape_a.end(), a.shape().begin(), a.shape().end());
  shape_b.insert(shape_b.end(), b.shape().begin(), b.shape().end());
  Shape apart_a, apart_b;
  for (size_t i = 0; i < rank; ++i) {
    apart_a.insert(apart_a.end(), {shape_a[i], 1});
    apart_b.insert(apart_b.end(), {1, shape_b[i]});
    shape.push_back(checked_length(int64_t{shape_a[i]} * shape_b[i], "kron"));
  }
  return reshape(multiply(reshape(a, apart_a, s), reshape(b, apart_b, s), s), std::move(shape), s);
}

}  // namespace assay
