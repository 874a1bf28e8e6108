// sort and argsort along an axis, and what is made of them. Rows become keys of one unsigned type;
// positions are sorted together with the keys, which makes the order of equal elements stable.
#include <algorithm>
#include <stdexcept>

#include "array/primitive.h"
#include "assay/ops.h"
#include "fmt/format.h"
#include "ops/axes.h"
#include "ops/element_types.h"
#include "ops/kernel_texts.h"
#include "ops/reduce_layout.h"
#include "ops/sort_keys.h"

namespace assay {
namespace {

// As in kernels/sort.metal.
struct Layout {
  uint32_t length, padded, inner;
  int32_t kept_rank;
  int64_t stride;
};

constexpr uint32_t kMaxLevels = 6;  // blocks of 2048 keys stay in the first-level cache
constexpr uint32_t kSegment = 32u << kMaxLevels;

// What is sorted. 64-bit elements leave no room for the position: their positions are sorted by the
// low words, then by the high ones.
enum class Keys : uint8_t { kValues, kPositions, kLowPositions, kHighPositions };

std::string write_source(Keys keys, Dtype dtype) {
  std::string text = write_sort_keys(dtype, keys == Keys::kValues);
  if (keys == Keys::kValues) {
    text +=
        "using Key = Element;\nusing Result = T;\n"
        "inline Key encode(T x, uint) { return element_key(x); }\n"
        "inline T decode(Key key, device const uint*, ulong) { return key_element(key); }\n";
  } else {
    const std::string_view word = keys == Keys::kPositions      ? "element_key(x)"
                                  : keys == Keys::kLowPositions ? "uint(element_key(x))"
                                                                : "(element_key(x) >> 32)";
    text += "using Key = ulong;\nusing Result = uint;\n";
    text += fmt::format(
        "inline Key encode(T x, uint position) {{ return (ulong({}) << 32) | position; }}\n", word);
    text += fmt::format(
        "inline uint decode(Key key, device const uint* order, ulong row) {{ return {}; }}\n",
        keys == Keys::kHighPositions ? "order[row + uint(key)]" : "uint(key)");
  }
  text += fmt::format(
      "inline uint element_at(device const uint* order, ulong place, uint position) {{\n"
      "  return {};\n}}\n",
      keys == Keys::kHighPositions ? "order[place]" : "position");
  return text += ops::kernel_text("sort");
}

class Sort final : public Primitive {
 public:
  Sort(std::string_view name, int axis, bool is_positions)
      : name_(name), axis_(axis), is_positions_(is_positions) {}

  std::string_view name() const override { return name_; }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override;
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override {
    return {{inputs[0].shape()}};
  }
  bool is_same(const Primitive& other) const override {
    const auto* same = dynamic_cast<const Sort*>(&other);
    return same && same->axis_ == axis_ && same->is_positions_ == is_positions_;
  }

 private:
  const std::string_view name_;  // a literal
  const int axis_;
  const bool is_positions_;
};

// One sort of all rows: elements → keys → sorted keys → results.
class RowSort {
 public:
  RowSort(const array& input, int axis, Encoder& encoder)
      : input_(input), encoder_(encoder), from_(reduce_layout(input.node(), {axis})) {
    size_t inner = 1;
    for (size_t i = static_cast<size_t>(axis) + 1; i < input.ndim(); ++i) {
      inner *= static_cast<size_t>(input.shape()[i]);
    }
    layout_ = {.length = from_.inner,
               .padded = (from_.inner + 31) / 32 * 32,
               .inner = static_cast<uint32_t>(inner),
               .kept_rank = static_cast<int32_t>(from_.kept.rank()),
               .stride = from_.inner_stride};
    rows_ = static_cast<uint32_t>(from_.kept.count());
    from_.kept.shape.push_back(1);  // something to bind where there is no axis
    from_.kept.strides.push_back(0);
  }

  void run(Keys keys, const array* order, array& output) {
    const array sorted = sort(keys, order);
    store(keys, sorted, order, output, layout_);
  }

  // Positions in rows of the padded length.
  array sort_positions(Keys keys) {
    const array sorted = sort(keys, nullptr);
    array order = temporary(uint32);
    Layout layout = layout_;
    layout.length = layout_.padded;
    layout.inner = 1;
    store(keys, sorted, nullptr, order, layout);
    return order;
  }

 private:
  array temporary(Dtype dtype) {
    return encoder_.make_temporary(
        {static_cast<ShapeElem>(rows_), static_cast<ShapeElem>(layout_.padded)}, dtype);
  }

  void dispatch(Keys keys, std::string_view kernel, const Arguments& arguments,
                const kernel::LaunchSize& size) {
    const std::string key =
        fmt::format("sort:{}:{}:{}", static_cast<int>(keys), short_name(input_.dtype()), kernel);
    encoder_.dispatch(
        {.key = key, .source = [&] { return write_source(keys, input_.dtype()); }, .name = kernel},
        arguments, size);
  }

  array sort(Keys keys, const array* order) {
    const bool is_wide = keys != Keys::kValues || has_wide_key(input_.dtype());
    array current = temporary(is_wide ? uint64 : uint32);
    const uint32_t padded = layout_.padded;
    Arguments load;
    load.input(input_).input(order ? *order : current).output(current).value(layout_);
    load.values<ShapeElem>(from_.kept.shape).values<int64_t>(from_.kept.strides);
    dispatch(keys, "sort_load", load,
             kernel::LaunchSize::threads({padded, rows_, 1}, {std::min(padded, 1024u), 1, 1}));
    array other = temporary(current.dtype());
    uint32_t levels = 0;
    while (levels < kMaxLevels && (32u << levels) < padded) ++levels;
    const auto launch = [&](uint32_t part) {
      const uint32_t parts = (padded + part - 1) / part;
      return kernel::LaunchSize::threads({32 * parts, rows_, 1}, {32, 1, 1});
    };
    Arguments blocks;
    blocks.output(current).output(other).value(padded).value(levels);
    dispatch(keys, "sort_blocks", blocks, launch(32u << levels));
    if (levels % 2 == 1) std::swap(current, other);
    for (uint64_t width = kSegment; width < padded; width *= 2) {
      Arguments merge;
      merge.input(current).output(other).value(padded).value(static_cast<uint32_t>(width));
      merge.value(kSegment);
      dispatch(keys, "sort_merge", merge, launch(kSegment));
      std::swap(current, other);
    }
    return current;
  }

  void store(Keys keys, const array& sorted, const array* order, array& output,
             const Layout& layout) {
    Arguments arguments;
    arguments.input(sorted).input(order ? *order : sorted).output(output).value(layout);
    dispatch(keys, "sort_store", arguments,
             kernel::LaunchSize::threads({layout.length, rows_, 1},
                                         {std::min(layout.length, 1024u), 1, 1}));
  }

  const array& input_;
  Encoder& encoder_;
  ReduceLayout from_;
  Layout layout_{};
  uint32_t rows_ = 0;
};

void Sort::encode(std::span<const array> inputs, std::span<array> outputs, Encoder& encoder) const {
  encoder.allocate(outputs[0]);
  if (outputs[0].size() == 0) return;
  RowSort rows(inputs[0], axis_, encoder);
  if (!is_positions_) {
    rows.run(Keys::kValues, nullptr, outputs[0]);
  } else if (!has_wide_key(inputs[0].dtype())) {
    rows.run(Keys::kPositions, nullptr, outputs[0]);
  } else {
    const array order = rows.sort_positions(Keys::kLowPositions);
    rows.run(Keys::kHighPositions, &order, outputs[0]);
  }
}

array order_along(std::string_view name, const array& a, int axis, bool is_positions,
                  const StreamOrDevice& where) {
  axis = normalize_axis(axis, a.ndim(), name);
  if (!is_positions && is_complex(a.dtype())) {
    // Numbers with one part that is not one come last, and keep the other: no key has room for it.
    return take_along_axis(a, order_along(name, a, axis, true, where), axis, where);
  }
  return make_array(a.shape(), is_positions ? uint32 : a.dtype(),
                    std::make_shared<Sort>(name, axis, is_positions), {a}, where);
}

void require_kth(std::string_view name, const array& a, int kth, int axis) {
  const int length = a.shape(normalize_axis(axis, a.ndim(), name));
  if (kth >= -length && kth < length) return;
  throw std::invalid_argument(fmt::format(
      "[{}] Received invalid kth {} along axis {} of length {}.", name, kth, axis, length));
}

}  // namespace

array sort(const array& a, int axis, StreamOrDevice s) {
  return order_along("sort", a, axis, false, s);
}
array sort(const array& a, StreamOrDevice s) { return sort(flatten(a, s), 0, s); }

array argsort(const array& a, int axis, StreamOrDevice s) {
  return order_along("argsort", a, axis, true, s);
}
array argsort(const array& a, StreamOrDevice s) { return argsort(flatten(a, s), 0, s); }

// A sorted row is partitioned at every place.
array partition(const array& a, int kth, int axis, StreamOrDevice s) {
  require_kth("partition", a, kth, axis);
  return order_along("partition", a, axis, false, s);
}
array partition(const array& a, int kth, StreamOrDevice s) {
  return partition(flatten(a, s), kth, 0, s);
}

array argpartition(const array& a, int kth, int axis, StreamOrDevice s) {
  require_kth("argpartition", a, kth, axis);
  return order_along("argpartition", a, axis, true, s);
}
array argpartition(const array& a, int kth, StreamOrDevice s) {
  return argpartition(flatten(a, s), kth, 0, s);
}

array topk(const array& a, int k, int axis, StreamOrDevice s) {
  axis = normalize_axis(axis, a.ndim(), "topk");
  const ShapeElem length = a.shape(axis);
  if (k < 0 || k > length) {
    throw std::invalid_argument(
        fmt::format("[topk] Received invalid k={} along axis {} of length {}.", k, axis, length));
  }
  if (k == length) return a;
  Shape start(a.ndim(), 0);
  start[static_cast<size_t>(axis)] = length - k;
  const array sorted = order_along("topk", a, axis, false, s);
  return slice(sorted, std::move(start), a.shape(), s);
}
array topk(const array& a, int k, StreamOrDevice s) { return topk(flatten(a, s), k, 0, s); }

}  // namespace assay
