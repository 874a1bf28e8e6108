// fast::scaled_dot_product_attention: one kernel, or other ops where matrix products are faster.
#include <stdexcept>

#include "array/primitive.h"
#include "assay/fast.h"
#include "assay/ops.h"
#include "fmt/format.h"
#include "ops/attention_kernel.h"
#include "ops/elementwise.h"

namespace assay::fast {
namespace {

template <typename... Values>
void require(bool holds, fmt::format_string<Values...> text, Values&&... values) {
  if (holds) return;
  throw std::invalid_argument("[scaled_dot_product_attention] " +
                              fmt::format(text, std::forward<Values>(values)...));
}

void require_inputs(const array& queries, const array& keys, const array& values) {
  for (const array* each : {&queries, &keys, &values}) {
    require(each->ndim() == 4, "input with shape {} expected to be rank 4",
            describe_shape(each->shape()));
    require(each->shape(0) == queries.shape(0),
            "mismatching batch dimension for input with shape {}.", describe_shape(each->shape()));
  }
  require(queries.shape(-1) == keys.shape(-1),
          "query, keys expected to have matching last dimension; found query shape {} for keys "
          "shape {}.",
          describe_shape(queries.shape()), describe_shape(keys.shape()));
  require(keys.shape(1) == values.shape(1),
          "keys, values expected to have matching n_kv_heads; found keys with n_heads {} for "
          "values with n_heads {}.",
          keys.shape(1), values.shape(1));
  require(keys.shape(2) == values.shape(2),
          "keys, values expected to have the same length; found keys shape {} for values shape {}.",
          describe_shape(keys.shape()), describe_shape(values.shape()));
  require(keys.shape(1) > 0 && queries.shape(1) % keys.shape(1) == 0,
          "n_heads must be a multiple of n_kv_heads, found n_heads {} for n_kv_heads {}.",
          queries.shape(1), keys.shape(1));
}

// Queries see keys up to their own place; both end at the same one.
array causal_mask(ShapeElem queries, ShapeElem keys, const StreamOrDevice& s) {
  const array rows = expand_dims(arange(keys - queries, keys, s), 1, s);
  return greater_equal(rows, expand_dims(arange(0, keys, s), 0, s), s);
}

// Heads that share keys and values, as an axis of their own.
struct Heads {
  ShapeElem shared, repeats;
  array split(const array& a, int axis, const StreamOrDevice& s) const {
    return repeats == 1 ? a : unflatten(a, axis, {shared, repeats}, s);
  }
};

array apply_mask(const array& scores, array mask, const Heads& heads, const StreamOrDevice& s) {
  if (heads.repeats > 1 && mask.ndim() >= 3) {
    mask = mask.shape(-3) == 1 ? expand_dims(mask, -3, s) : heads.split(mask, -3, s);
  }
  if (mask.dtype() != bool_) return add(scores, mask, s);
  return where(mask, scores, array(finfo(scores.dtype()).min, scores.dtype()), s);
}

// Each head's sink takes part in the division and in nothing else.
array softmax_with_sinks(const array& scores, const array& sinks, const Heads& heads,
                         const StreamOrDevice& s) {
  Shape column = scores.shape();
  column.back() = 1;
  const array split = heads.split(expand_dims(sinks, {0, 2, 3}, s), 1, s);
  const array all = concatenate({broadcast_to(split, column, s), scores}, -1, s);
  const array parts = softmax(all, std::vector<int>{-1}, true, s);
  Shape start(parts.ndim(), 0);
  start.back() = 1;
  return slice(parts, std::move(start), parts.shape(), s);
}

struct Inputs {
  const array &queries, &keys, &values;
  float scale;
  AttentionMask kind;
  std::optional<array> mask, sinks;  // the mask broadcast to all scores
};

array attend_with_kernel(const Inputs& in, AttentionForm form, const StreamOrDevice& s) {
  const Dtype dtype = in.queries.dtype();
  // Single elements are read for all queries at once: converting them each time would cost more.
  const bool is_converted = form == AttentionForm::kByQuery;
  std::vector<array> inputs{in.queries, is_converted ? astype(in.keys, float32, s) : in.keys,
                            is_converted ? astype(in.values, float32, s) : in.values};
  if (in.mask) inputs.push_back(*in.mask);
  if (in.sinks) inputs.push_back(*in.sinks);
  Shape shape = in.queries.shape();
  shape.back() = in.values.shape(-1);
  return make_array(std::move(shape), dtype,
                    std::make_shared<FusedAttention>(
                        FusedAttention::Options{in.scale, in.kind, in.sinks.has_value(), form}),
                    std::move(inputs), s);
}

array attend_with_products(const Inputs& in, const StreamOrDevice& s) {
  const Heads heads{in.keys.shape(1), in.queries.shape(1) / in.keys.shape(1)};
  array q = heads.split(multiply(array(in.scale, in.queries.dtype()), in.queries, s), 1, s);
  array k = in.keys, v = in.values;
  if (heads.repeats > 1) {
    k = expand_dims(k, 2, s);
    v = expand_dims(v, 2, s);
  }
  array scores = matmul(q, swapaxes(k, -1, -2, s), s);
  if (in.kind == AttentionMask::kCausal) {
    const array mask = causal_mask(in.queries.shape(2), in.keys.shape(2), s);
    scores = apply_mask(scores, mask, heads, s);
  } else if (in.mask) {
    scores = apply_mask(scores, *in.mask, heads, s);
  }
  scores = in.sinks ? softmax_with_sinks(scores, *in.sinks, heads, s)
                    : softmax(scores, std::vector<int>{-1}, true, s);
  const array result = matmul(scores, v, s);
  return heads.repeats > 1 ? flatten(result, 1, 2, s) : result;
}

// Nothing where matrix products are faster.
std::optional<AttentionForm> choose_form(const Inputs& in) {
  // Below, a thread for each row would leave most lanes of a simdgroup without work.
  constexpr ShapeElem kFewRows = 6;
  constexpr ShapeElem kLargestDepth = 256;  // registers and stack of a simdgroup's threads
  if (in.keys.size() == 0 || in.queries.dtype() == float64) return std::nullopt;
  if (in.queries.shape(3) > kLargestDepth || in.values.shape(3) > kLargestDepth)
    return std::nullopt;
  const ShapeElem rows = in.queries.shape(2) * (in.queries.shape(1) / in.keys.shape(1));
  return rows < kFewRows ? AttentionForm::kByKey : AttentionForm::kByQuery;
}

}  // namespace

array scaled_dot_product_attention(const array& queries, const array& keys, const array& values,
                                   float scale, const std::string& mask_mode,
                                   std::optional<array> mask, const std::optional<array>& sinks,
                                   StreamOrDevice s) {
  require(mask_mode.empty() || mask_mode == "causal" || mask_mode == "array",
          "Invalid mask_mode {}. mask_mode must be 'causal', 'array' or ''.", mask_mode);
  const bool is_causal = mask_mode == "causal";
  require(!is_causal || !mask,
          "Invalid mask_arr for mask_mode 'causal'. No array mask should be passed.");
  require_inputs(queries, keys, values);
  const Dtype dtype = promote_types(promote_types(queries.dtype(), keys.dtype()), values.dtype());
  require(issubdtype(dtype, floating), "Received unsupported type {}.", dtype_name(dtype));
  const array q = astype(queries, dtype, s), k = astype(keys, dtype, s),
              v = astype(values, dtype, s);
  Inputs in{q, k, v, scale, is_causal ? AttentionMask::kCausal : AttentionMask::kNone, {}, {}};
  if (mask) {
    require(mask->ndim() <= 4, "the mask with shape {} expected to have at most rank 4.",
            describe_shape(mask->shape()));
    require(promote_types(mask->dtype(), dtype) == dtype,
            "Mask type must promote to output type {}.", dtype_name(dtype));
    const bool is_bool = mask->dtype() == bool_;
    in.kind = is_bool ? AttentionMask::kPicks : AttentionMask::kAdds;
    Shape full = queries.shape();
    full.back() = keys.shape(2);
    in.mask = broadcast_to(is_bool ? *mask : astype(*mask, dtype, s), full, s);
  }
  if (sinks) {
    require(promote_types(sinks->dtype(), dtype) == dtype,
            "Type of sinks must promote to output type {}.", dtype_name(dtype));
    require(sinks->shape() == Shape{queries.shape(1)}, "Received invalid shape for sinks {}.",
            describe_shape(sinks->shape()));
    in.sinks = astype(*sinks, dtype, s);
  }
  const std::optional<AttentionForm> form = choose_form(in);
  return form ? attend_with_kernel(in, *form, s) : attend_with_products(in, s);
}

}  // namespace assay::fast
