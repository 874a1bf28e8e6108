// See attention_kernel.h.
#include "ops/attention_kernel.h"

#include "fmt/format.h"
#include "ops/element_types.h"
#include "ops/kernel_texts.h"

namespace assay::fast {
namespace {

// As in kernels/attention.metal.
struct Layout {
  uint32_t queries, keys, heads, repeats, has_sinks;
  float scale;
  int64_t query_strides[3], key_strides[3], value_strides[3], mask_strides[4];
};

array with_dense_rows(const array& a, Encoder& encoder) {
  const bool is_dense = a.shape(-1) == 1 || a.node().strides.back() == 1;
  return is_dense ? a : encoder.make_row_contiguous(a);
}

void copy_strides(const array& a, std::span<int64_t> to) {
  std::copy_n(a.node().strides.begin(), to.size(), to.begin());
}

Layout make_layout(const array& q, const array& k, const array& v,
                   const FusedAttention::Options& options) {
  const auto heads = static_cast<uint32_t>(q.shape(1));
  Layout layout{.queries = static_cast<uint32_t>(q.shape(2)),
                .keys = static_cast<uint32_t>(k.shape(2)),
                .heads = heads,
                .repeats = heads / static_cast<uint32_t>(k.shape(1)),
                .has_sinks = options.has_sinks ? 1u : 0u,
                .scale = options.scale,
                .query_strides = {},
                .key_strides = {},
                .value_strides = {},
                .mask_strides = {}};
  copy_strides(q, layout.query_strides);
  copy_strides(k, layout.key_strides);
  copy_strides(v, layout.value_strides);
  return layout;
}

struct Types {
  Dtype queries, keys, mask;
  uint32_t depth, value_depth;
};

std::string write_kernel(const Types& types, AttentionMask mask, std::string_view name) {
  const auto is = [mask](AttentionMask kind) { return mask == kind ? "true" : "false"; };
  std::string text = fmt::format(
      "#include <metal_stdlib>\nusing namespace metal;\nusing T = {};\nusing C = {};\nusing M = "
      "{};\n",
      msl_type(types.queries), msl_type(types.keys), msl_type(types.mask));
  text += fmt::format(
      "constant constexpr uint kDepth = {}, kValueDepth = {};\n"
      "constant constexpr bool kCausal = {}, kPicks = {}, kAdds = {};\n",
      types.depth, types.value_depth, is(AttentionMask::kCausal), is(AttentionMask::kPicks),
      is(AttentionMask::kAdds));
  text += ops::kernel_text("attention");
  return text += ops::kernel_text(name);
}

}  // namespace

std::optional<std::vector<Shape>> FusedAttention::infer_shapes(
    std::span<const array> inputs) const {
  const Shape &q = inputs[0].shape(), &k = inputs[1].shape(), &v = inputs[2].shape();
  const bool are_rows = q[0] == k[0] && q[3] == k[3] && k[1] > 0 && q[1] % k[1] == 0 && k[2] > 0;
  if (!are_rows || v != Shape{k[0], k[1], k[2], v[3]}) return {};
  if (has_mask() && inputs[3].shape() != Shape{q[0], q[1], q[2], k[2]}) return {};
  if (options_.has_sinks && inputs.back().shape() != Shape{q[1]}) return {};
  return std::vector<Shape>{Shape{q[0], q[1], q[2], v[3]}};
}

void FusedAttention::encode(std::span<const array> inputs, std::span<array> outputs,
                            Encoder& encoder) const {
  encoder.allocate(outputs[0]);
  if (outputs[0].size() == 0) return;
  const array q = with_dense_rows(inputs[0], encoder), k = with_dense_rows(inputs[1], encoder),
              v = with_dense_rows(inputs[2], encoder);
  // Where there is none, something to bind.
  const array mask = has_mask() ? inputs[3] : q, sinks = options_.has_sinks ? inputs.back() : q;
  Layout layout = make_layout(q, k, v, options_);
  if (has_mask()) copy_strides(mask, layout.mask_strides);
  const bool is_by_query = options_.form == AttentionForm::kByQuery;
  const uint32_t rows = layout.queries * layout.repeats;
  const Types types{.queries = q.dtype(),
                    .keys = k.dtype(),
                    .mask = mask.dtype(),
                    .depth = static_cast<uint32_t>(q.shape(3)),
                    .value_depth = static_cast<uint32_t>(v.shape(3))};
  const std::string_view kernel_name = is_by_query ? "attend_by_query" : "attend_by_key";
  const std::string key = fmt::format(
      "{}:{}:{}:{}:{}:{}:{}", kernel_name, short_name(types.queries), short_name(types.keys),
      short_name(types.mask), types.depth, types.value_depth, static_cast<int>(options_.mask));
  Arguments arguments;
  arguments.input(q).input(k).input(v).input(mask).input(sinks).output(outputs[0]).value(layout);
  encoder.dispatch({.key = key,
                    .source = [&] { return write_kernel(types, options_.mask, kernel_name); },
                    .name = kernel_name},
                   arguments,
                   kernel::LaunchSize::threads(
                       {is_by_query ? rows : 32 * rows, static_cast<uint32_t>(k.shape(1)),
                        static_cast<uint32_t>(q.shape(0))},
                       {is_by_query ? std::min(rows, 32u) : 32, 1, 1}));
}

}  // namespace assay::fast
