// Distributions, in the order of operations that MLX has: the same key gives the same values.
#include "ops/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "assay/random.h"
#include "fmt/format.h"
#include "ops/elementwise.h"

namespace assay::random {
namespace {

void require_floating(Dtype dtype, const char* message) {
  if (!issubdtype(dtype, floating)) throw std::invalid_argument(message);
}

// Asked before other functions are used, so that the message names the one that was called.
void require_shape(const Shape& shape, std::string_view function) {
  if (std::ranges::all_of(shape, [](ShapeElem length) { return length >= 0; })) return;
  throw std::invalid_argument(
      fmt::format("[{}] Negative dimensions not allowed: {}.", function, describe_shape(shape)));
}

// The largest value below 1.
float below_one(Dtype dtype) {
  switch (dtype.val()) {
    case Dtype::Val::float16: return 1.0f - 0x1p-11f;
    case Dtype::Val::bfloat16: return 1.0f - 0x1p-8f;
    case Dtype::Val::float32: return 1.0f - 0x1p-24f;
    default: throw std::invalid_argument("[uniform] Unsupported type.");
  }
}

// Words as numbers in [0, 1), as a kernel of several steps. Inputs: words, 2^32, the limit below 1,
// the range, its start and for normal numbers their factor.
class WordSteps {
 public:
  explicit WordSteps(std::vector<Dtype> inputs) {
    for (const Dtype dtype : inputs) tape_.inputs.push_back({dtype});
    last_ = add(row_named("divide"), float32, {0, 1});
    last_ = add(row_named("minimum"), float32, {last_, 2});
  }

  void convert(Dtype dtype) {
    if (tape_.type_of(last_) != dtype) last_ = add(convert_row(), dtype, {last_});
  }
  void apply(std::string_view row, Dtype dtype) { last_ = add(row_named(row), dtype, {last_}); }
  // As MLX has it, with the input in front of a product and behind a sum.
  void multiply(uint32_t input) { last_ = add(row_named("multiply"), type(), {input, last_}); }
  void shift(uint32_t input) { last_ = add(row_named("add"), type(), {last_, input}); }

  std::shared_ptr<const Elementwise> finish() {
    tape_.outputs = {last_};
    return std::make_shared<Elementwise>(std::move(tape_));
  }

 private:
  Dtype type() const { return tape_.type_of(last_); }
  uint32_t add(const ElementRow& row, Dtype dtype, std::vector<uint32_t> arguments) {
    tape_.steps.push_back({&row, dtype, dtype, std::move(arguments)});
    return static_cast<uint32_t>(tape_.inputs.size() + tape_.steps.size() - 1);
  }

  ElementTape tape_;
  uint32_t last_ = 0;
};

using Primitives = std::map<Dtype::Val, std::shared_ptr<const Elementwise>>;

std::shared_ptr<const Elementwise> uniform_primitive(Dtype dtype) {
  thread_local Primitives known;
  std::shared_ptr<const Elementwise>& entry = known[dtype.val()];
  if (!entry) {
    WordSteps steps({uint32, float32, float32, dtype, dtype});
    steps.convert(dtype);
    steps.multiply(3);
    steps.shift(4);
    entry = steps.finish();
  }
  return entry;
}

std::shared_ptr<const Elementwise> normal_primitive(Dtype dtype) {
  thread_local Primitives known;
  std::shared_ptr<const Elementwise>& entry = known[dtype.val()];
  if (!entry) {
    WordSteps steps({uint32, float32, float32, float32, float32, dtype});
    steps.multiply(3);
    steps.shift(4);
    steps.apply("erfinv", float32);
    steps.convert(dtype);
    steps.multiply(5);
    entry = steps.finish();
  }
  return entry;
}

// In (-1, 1): both ends have no finite inverse.
constexpr float kOpenLow = 0x1p-24f - 1.0f;

array open_uniform(const Shape& shape, const std::optional<array>& key, const StreamOrDevice& s) {
  return uniform(array(kOpenLow), array(1.0f), shape, float32, key, s);
}

int categorical_axis(int axis, const array& logits) {
  const int rank = static_cast<int>(logits.ndim());
  if (axis < -rank || axis >= rank) {
    throw std::invalid_argument(
        fmt::format("[categorical] Invalid axis {} for logits with {} dimensions.", axis, rank));
  }
  return axis < 0 ? axis + rank : axis;
}

Shape without_axis(const Shape& shape, int axis) {
  Shape rest = shape;
  rest.erase(rest.begin() + axis);
  return rest;
}

// Memory of the numbers of weights and samples, not of their product.
array sample_one_distribution(const array& logits, const Shape& shape,
                              const std::optional<array>& key, const StreamOrDevice& s) {
  const Dtype dtype = promote_types(logits.dtype(), float32);
  const array x = astype(logits, dtype, s);
  const array highest = max(x, s);
  // Where the highest is infinite, all that are as high are equally likely.
  const array weights = where(isinf(highest, s), astype(equal(x, highest, s), dtype, s),
                              exp(subtract(x, highest, s), s), s);
  const array below = cumsum(weights, 0, false, false, s);
  const array position = multiply(uniform(shape, float32, key, s), sum(weights, s), s);
  return subtract(searchsorted(below, position, true, s), array(1u, uint32), s);
}

array sample(const array& logits, int axis, const Shape& shape, const std::optional<array>& key,
             const StreamOrDevice& s) {
  const ShapeElem count = logits.shape(axis);
  if (count > 0 && logits.size() == static_cast<size_t>(count) && !shape.empty()) {
    return sample_one_distribution(reshape(logits, {count}, s), shape, key, s);
  }
  const int place = axis + static_cast<int>(shape.size()) - static_cast<int>(logits.ndim()) + 1;
  Shape noise = shape;
  noise.insert(noise.begin() + place, count);
  return argmax(add(gumbel(noise, float32, key, s), logits, s), place, false, s);
}

}  // namespace

array uniform(const array& low, const array& high, const Shape& shape, Dtype dtype,
              const std::optional<array>& key, StreamOrDevice s) {
  require_shape(shape, "uniform");
  require_floating(dtype,
                   "[uniform] Can only generate uniform numbers with real floating point type.");
  const array from = astype(low, dtype, s);
  const array range = subtract(astype(high, dtype, s), from, s);
  const Shape broadcast = broadcast_shapes(shape, range.shape());
  if (broadcast != shape) {
    throw std::invalid_argument(fmt::format(
        "[uniform] Cannot generate random values of shape {} from broadcasted shape {}.",
        describe_shape(shape), describe_shape(broadcast)));
  }
  const array limit(below_one(dtype));
  return make_array(shape, dtype, uniform_primitive(dtype),
                    {bits(shape, 4, key, s), array(0x1p32f), limit, range, from}, s);
}

array uniform(const Shape& shape, Dtype dtype, const std::optional<array>& key, StreamOrDevice s) {
  return uniform(array(0.0f, dtype), array(1.0f, dtype), shape, dtype, key, s);
}

array uniform(const Shape& shape, const std::optional<array>& key, StreamOrDevice s) {
  return uniform(shape, float32, key, s);
}

array normal(const Shape& shape, Dtype dtype, const std::optional<array>& loc,
             const std::optional<array>& scale, const std::optional<array>& key, StreamOrDevice s) {
  require_shape(shape, "normal");
  if (dtype == complex64) {
    Shape parts = shape;
    parts.push_back(2);
    const array values = view(erfinv(open_uniform(parts, key, s), s), complex64, s);
    array result = reshape(values, shape, s);
    if (scale) result = multiply(*scale, result, s);
    return loc ? add(*loc, result, s) : result;
  }
  require_floating(dtype, "[normal] Only floating point and complex64 types are supported.");
  array factor(std::sqrt(2.0), dtype);
  if (scale) factor = multiply(factor, astype(*scale, dtype, s), s);
  array result = factor;
  if (factor.ndim() == 0) {
    result = make_array(shape, dtype, normal_primitive(dtype),
                        {bits(shape, 4, key, s), array(0x1p32f), array(below_one(float32)),
                         array(1.0f - kOpenLow), array(kOpenLow), factor},
                        s);
  } else {
    const array values = astype(erfinv(open_uniform(shape, key, s), s), dtype, s);
    result = multiply(factor, values, s);
  }
  return loc ? add(astype(*loc, dtype, s), result, s) : result;
}

array normal(const Shape& shape, Dtype dtype, float loc, float scale,
             const std::optional<array>& key, StreamOrDevice s) {
  const auto given = [&](float value, float neutral) {
    return value == neutral ? std::nullopt : std::make_optional<array>(value, dtype);
  };
  return normal(shape, dtype, given(loc, 0.0f), given(scale, 1.0f), key, s);
}

array normal(const Shape& shape, float loc, float scale, const std::optional<array>& key,
             StreamOrDevice s) {
  return normal(shape, float32, loc, scale, key, s);
}

array normal(const Shape& shape, Dtype dtype, const std::optional<array>& key, StreamOrDevice s) {
  return normal(shape, dtype, 0.0f, 1.0f, key, s);
}

array normal(const Shape& shape, const std::optional<array>& key, StreamOrDevice s) {
  return normal(shape, float32, 0.0f, 1.0f, key, s);
}

array randint(const array& low, const array& high, const Shape& shape, Dtype dtype,
              const std::optional<array>& key, StreamOrDevice s) {
  require_shape(shape, "randint");
  if (issubdtype(dtype, inexact)) {
    throw std::invalid_argument("[randint] randint only accepts integer dtypes and bool.");
  }
  const array values = astype(floor(uniform(low, high, shape, float32, key, s), s), dtype, s);
  // float32 has not every integer: it may have rounded to the limits.
  const array last = astype(subtract(high, array(1, high.dtype()), s), dtype, s);
  return maximum(minimum(values, last, s), astype(low, dtype, s), s);
}

array bernoulli(const array& p, const Shape& shape, const std::optional<array>& key,
                StreamOrDevice s) {
  require_shape(shape, "bernoulli");
  require_floating(p.dtype(), "[bernoulli] bernoulli probability `p` must be a float type.");
  // Slightly above the largest word, so that p = 1 is always true.
  const array limit(std::nextafter(0x1p32f, std::numeric_limits<float>::max()));
  const array result = less(bits(shape, 4, key, s), multiply(p, limit, s), s);
  if (result.shape() != shape) {
    throw std::invalid_argument("[bernoulli] shape of `p` is incompatible with argument `shape`.");
  }
  return result;
}

array bernoulli(const array& p, const std::optional<array>& key, StreamOrDevice s) {
  return bernoulli(p, p.shape(), key, s);
}

array bernoulli(const std::optional<array>& key, StreamOrDevice s) {
  return bernoulli(array(0.5f), key, s);
}

array truncated_normal(const array& lower, const array& upper, const Shape& shape, Dtype dtype,
                       const std::optional<array>& key, StreamOrDevice s) {
  require_shape(shape, "truncated_normal");
  require_floating(dtype, "[trunc_normal] trunc_normal only accepts floating point dtypes.");
  const array root(std::sqrt(2.0), dtype);
  const array from = astype(lower, dtype, s), to = astype(upper, dtype, s);
  const array low = erf(divide(from, root, s), s), high = erf(divide(to, root, s), s);
  const array values = multiply(root, erfinv(uniform(low, high, shape, dtype, key, s), s), s);
  return maximum(minimum(to, values, s), from, s);
}

array truncated_normal(const array& lower, const array& upper, Dtype dtype,
                       const std::optional<array>& key, StreamOrDevice s) {
  return truncated_normal(lower, upper, broadcast_shapes(lower.shape(), upper.shape()), dtype, key,
                          s);
}

array gumbel(const Shape& shape, Dtype dtype, const std::optional<array>& key, StreamOrDevice s) {
  require_shape(shape, "gumbel");
  return negative(log(negative(log(uniform(shape, dtype, key, s), s), s), s), s);
}

array categorical(const array& logits, int axis, const Shape& shape,
                  const std::optional<array>& key, StreamOrDevice s) {
  require_shape(shape, "categorical");
  axis = categorical_axis(axis, logits);
  const Shape rest = without_axis(logits.shape(), axis);
  if (broadcast_shapes(shape, rest) != shape) {
    throw std::invalid_argument(
        fmt::format("[categorical] Requested shape {} is not broadcast compatible with reduced "
                    "logits shape{}.",
                    describe_shape(shape), describe_shape(rest)));
  }
  return sample(logits, axis, shape, key, s);
}

array categorical(const array& logits, int axis, int num_samples, const std::optional<array>& key,
                  StreamOrDevice s) {
  require_shape({num_samples}, "categorical");
  axis = categorical_axis(axis, logits);
  const array wide = expand_dims(logits, -1, s);
  Shape shape = without_axis(wide.shape(), axis);
  shape.back() = num_samples;
  return sample(wide, axis, shape, key, s);
}

array categorical(const array& logits, int axis, const std::optional<array>& key,
                  StreamOrDevice s) {
  axis = categorical_axis(axis, logits);
  return sample(logits, axis, without_axis(logits.shape(), axis), key, s);
}

array laplace(const Shape& shape, Dtype dtype, float loc, float scale,
              const std::optional<array>& key, StreamOrDevice s) {
  require_shape(shape, "laplace");
  require_floating(dtype, "[laplace] Only real floating point types are supported.");
  const array values = open_uniform(shape, key, s);
  const array inverse = log1p(multiply(array(-1.0f, dtype), abs(values, s), s), s);
  array result = astype(multiply(sign(values, s), inverse, s), dtype, s);
  if (scale != 1.0f) result = multiply(array(scale, dtype), result, s);
  if (loc != 0.0f) result = add(array(loc, dtype), result, s);
  return result;
}

array permutation(const array& x, int axis, const std::optional<array>& key, StreamOrDevice s) {
  return take(x, permutation(x.shape(axis), key, s), axis, s);
}

array permutation(int x, const std::optional<array>& key, StreamOrDevice s) {
  require_shape({x}, "permutation");
  return argsort(bits({x}, 4, key, s), s);
}

}  // namespace assay::random
