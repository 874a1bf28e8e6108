// fast::scaled_dot_product_attention, made of other ops.
#include <stdexcept>

#include "assay/fast.h"
#include "assay/ops.h"
#include "fmt/format.h"
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
  const Heads heads{keys.shape(1), queries.shape(1) / keys.shape(1)};

  array q = heads.split(multiply(array(scale, dtype), astype(queries, dtype, s), s), 1, s);
  array k = astype(keys, dtype, s), v = astype(values, dtype, s);
  if (heads.repeats > 1) {
    k = expand_dims(k, 2, s);
    v = expand_dims(v, 2, s);
  }
  array scores = matmul(q, swapaxes(k, -1, -2, s), s);
  if (is_causal) {
    scores = apply_mask(scores, causal_mask(queries.shape(2), keys.shape(2), s), heads, s);
  } else if (mask) {
    require(mask->ndim() <= 4, "the mask with shape {} expected to have at most rank 4.",
            describe_shape(mask->shape()));
    require(promote_types(mask->dtype(), dtype) == dtype,
            "Mask type must promote to output type {}.", dtype_name(dtype));
    Shape full = queries.shape();
    full.back() = keys.shape(2);
    const array given = mask->dtype() == bool_ ? *mask : astype(*mask, dtype, s);
    scores = apply_mask(scores, broadcast_to(given, full, s), heads, s);
  }
  if (sinks) {
    require(promote_types(sinks->dtype(), dtype) == dtype,
            "Type of sinks must promote to output type {}.", dtype_name(dtype));
    require(sinks->shape() == Shape{queries.shape(1)}, "Received invalid shape for sinks {}.",
            describe_shape(sinks->shape()));
    scores = softmax_with_sinks(scores, astype(*sinks, dtype, s), heads, s);
  } else {
    scores = softmax(scores, std::vector<int>{-1}, true, s);
  }
  const array result = matmul(scores, v, s);
  return heads.repeats > 1 ? flatten(result, 1, 2, s) : result;
}

}  // namespace assay::fast
