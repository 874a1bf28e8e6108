// Reductions that are made of others: mean, variance, deviation, counts.
#include "array/primitive.h"
#include "assay/ops.h"
#include "ops/axes.h"
#include "ops/copy.h"
#include "ops/element_types.h"
#include "ops/reduce_layout.h"

namespace assay {
namespace {

// What is counted, and what becomes of the count.
struct Count {
  std::vector<int> axes;
  int left_out = 0;  // so many elements are not counted
  bool is_inverted = false;
  bool operator==(const Count&) const = default;

  double of(const array& a) const {
    double count = 1;
    for (const int axis : axes) count *= a.shape(axis);
    count = std::max(count - left_out, 0.0);
    return is_inverted ? 1.0 / count : count;
  }
};

// For traces that serve several shapes.
class CountElements final : public Primitive {
 public:
  explicit CountElements(Count count) : count_(std::move(count)) {}
  std::string_view name() const override { return "number_of_elements"; }
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> /*inputs*/) const override {
    return std::vector<Shape>{Shape{}};
  }
  bool is_same(const Primitive& other) const override {
    const auto* same = dynamic_cast<const CountElements*>(&other);
    return same && same->count_ == count_;
  }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override {
    encoder.allocate(outputs[0]);
    encode_copy(array(count_.of(inputs[0]), outputs[0].dtype()), outputs[0], encoder);
  }

 private:
  const Count count_;
};

array count_elements(const array& a, Count count, Dtype dtype, const StreamOrDevice& s) {
  if (!is_tracing_shapeless()) return array(count.of(a), dtype);
  return make_array(Shape{}, dtype, std::make_shared<CountElements>(std::move(count)), {a}, s);
}

}  // namespace

array number_of_elements(const array& a, std::vector<int> axes, bool inverted, Dtype dtype,
                         StreamOrDevice s) {
  axes = normalize_axes(axes, a.ndim(), "number_of_elements");
  return count_elements(a, {.axes = std::move(axes), .is_inverted = inverted}, dtype, s);
}

array mean(const array& a, const std::vector<int>& axes, bool keepdims, StreamOrDevice s) {
  normalize_axes(axes, a.ndim(), "mean");
  const array scale = number_of_elements(a, axes, true, at_least_float(a.dtype()), s);
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
  const array total = sum(squares, axes, keepdims, s);
  if (ddof == 0) return multiply(total, number_of_elements(a, axes, true, dtype, s), s);
  return divide(total, count_elements(a, {.axes = axes, .left_out = ddof}, dtype, s), s);
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
