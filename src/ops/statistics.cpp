// Reductions that are made of others: mean, variance, deviation, counts.
#include "array/primitive.h"
#include "assay/ops.h"
#include "ops/axes.h"
#include "ops/copy.h"
#include "ops/element_types.h"
#include "ops/reduce_layout.h"

namespace assay {
namespace {

double count_along(const array& a, const std::vector<int>& axes) {
  double count = 1;
  for (const int axis : axes) count *= a.shape(axis);
  return count;
}

// 1 / the number of elements along the axes, for traces that serve several shapes.
class ReciprocalCount final : public Primitive {
 public:
  explicit ReciprocalCount(std::vector<int> axes) : axes_(std::move(axes)) {}
  std::string_view name() const override { return "reciprocal_count"; }
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> /*inputs*/) const override {
    return std::vector<Shape>{Shape{}};
  }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override {
    encoder.allocate(outputs[0]);
    encode_copy(array(1.0 / count_along(inputs[0], axes_), outputs[0].dtype()), outputs[0],
                encoder);
  }

 private:
  const std::vector<int> axes_;
};

array reciprocal_count(const array& a, const std::vector<int>& axes, Dtype dtype,
                       const StreamOrDevice& s) {
  if (!is_tracing_shapeless()) return array(1.0 / count_along(a, axes), dtype);
  return make_array(Shape{}, dtype, std::make_shared<ReciprocalCount>(axes), {a}, s);
}

}  // namespace

array mean(const array& a, const std::vector<int>& axes, bool keepdims, StreamOrDevice s) {
  normalize_axes(axes, a.ndim(), "mean");
  const array scale = reciprocal_count(a, axes, at_least_float(a.dtype()), s);
  return multiply(sum(a, axes, keepdims, s), scale, s);
}

array var(const array& a, const std::vector<int>& axes, bool keepdims, int ddof, StreamOrDevice s) {
  normalize_axes(axes, a.ndim(), "var");
  const array distance = subtract(a, mean(a, axes, true, s), s);
  const bool has_parts = is_complex(a.dtype());
  // Of complex numbers the squared magnitude, which is real.
  const array squares =
      has_parts ? real(multiply(distance, conjugate(distance, s), s), s) : square(distance, s);
  const Dtype dtype = has_parts ? float32 : at_least_float(a.dtype());
  const double count = count_along(a, axes);
  const array total = sum(squares, axes, keepdims, s);
  if (ddof == 0) return multiply(total, reciprocal_count(a, axes, dtype, s), s);
  return divide(total, array(std::max(count - ddof, 0.0), dtype), s);
}

array std(const array& a, const std::vector<int>& axes, bool keepdims, int ddof, StreamOrDevice s) {
  return sqrt(var(a, axes, keepdims, ddof, s), s);
}

array count_nonzero(const array& a, const std::vector<int>& axes, bool keepdims, StreamOrDevice s) {
  return sum(not_equal(a, array(0, a.dtype()), s), axes, keepdims, s);
}

#define ASSAY_REDUCTION(name)                                             \
  array name(const array& a, bool keepdims, StreamOrDevice s) {           \
    return name(a, all_axes(a.ndim()), keepdims, s);                      \
  }                                                                       \
  array name(const array& a, int axis, bool keepdims, StreamOrDevice s) { \
    return name(a, std::vector<int>{axis}, keepdims, s);                  \
  }
ASSAY_REDUCTION(mean)
ASSAY_REDUCTION(count_nonzero)
#undef ASSAY_REDUCTION
#define ASSAY_SPREAD(name)                                                          \
  array name(const array& a, bool keepdims, int ddof, StreamOrDevice s) {           \
    return assay::name(a, all_axes(a.ndim()), keepdims, ddof, s);                   \
  }                                                                                 \
  array name(const array& a, int axis, bool keepdims, int ddof, StreamOrDevice s) { \
    return assay::name(a, ::std::vector<int>{axis}, keepdims, ddof, s);             \
  }
ASSAY_SPREAD(var)
ASSAY_SPREAD(std)
#undef ASSAY_SPREAD

}  // namespace assay
