// searchsorted, and the median.
#include <limits>
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

class SearchSorted final : public Primitive {
 public:
  explicit SearchSorted(bool right) : right_(right) {}

  std::string_view name() const override { return "searchsorted"; }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override;
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override {
    return {{inputs[1].shape()}};
  }
  bool is_same(const Primitive& other) const override {
    const auto* same = dynamic_cast<const SearchSorted*>(&other);
    return same && same->right_ == right_;
  }

 private:
  const bool right_;
};

void SearchSorted::encode(std::span<const array> inputs, std::span<array> outputs,
                          Encoder& encoder) const {
  encoder.allocate(outputs[0]);
  if (outputs[0].size() == 0) return;
  const array sorted = encoder.make_row_contiguous(inputs[0]);
  const array values = encoder.make_row_contiguous(inputs[1]);
  const auto count = static_cast<uint32_t>(outputs[0].size());
  Arguments arguments;
  arguments.input(sorted).input(values).output(outputs[0]);
  arguments.value(static_cast<uint32_t>(sorted.size())).value(right_ ? 1u : 0u);
  const std::string key = fmt::format("searchsorted:{}", short_name(sorted.dtype()));
  encoder.dispatch({.key = key,
                    .source =
                        [&] {
                          return write_sort_keys(sorted.dtype(), false) +
                                 "using Key = Element;\n"
                                 "inline Key encode(T x) { return element_key(x); }\n" +
                                 std::string(ops::kernel_text("search"));
                        },
                    .name = "search_sorted"},
                   arguments,
                   kernel::LaunchSize::threads({count, 1, 1}, {std::min(count, 1024u), 1, 1}));
}

// The median's axes as one, behind all others.
array gather_axes(const array& a, const std::vector<int>& sorted_axes, const StreamOrDevice& s) {
  std::vector<int> order;
  for (const int axis : all_axes(a.ndim())) {
    if (!std::binary_search(sorted_axes.begin(), sorted_axes.end(), axis)) order.push_back(axis);
  }
  Shape shape = reduced_shape(a.shape(), sorted_axes, false);
  order.insert(order.end(), sorted_axes.begin(), sorted_axes.end());
  size_t length = 1;
  for (const int axis : sorted_axes) length *= static_cast<size_t>(a.shape(axis));
  if (length == 0) {
    throw std::invalid_argument("[median] Cannot take median along empty axis.");
  }
  shape.push_back(static_cast<ShapeElem>(length));
  return reshape(transpose(a, order, s), std::move(shape), s);
}

array column(const array& a, ShapeElem index, const StreamOrDevice& s) {
  Shape start(a.ndim(), 0), stop = a.shape();
  start.back() = index;
  stop.back() = index + 1;
  return slice(a, std::move(start), std::move(stop), s);
}

}  // namespace

array searchsorted(const array& sorted, const array& values, bool right, StreamOrDevice s) {
  if (sorted.ndim() != 1) {
    throw std::invalid_argument(fmt::format(
        "[searchsorted] The sorted sequence must be 1-D but has {} dimensions.", sorted.ndim()));
  }
  const Dtype dtype = promote_types(sorted.dtype(), values.dtype());
  return make_array(values.shape(), uint32, std::make_shared<SearchSorted>(right),
                    {astype(sorted, dtype, s), astype(values, dtype, s)}, s);
}

array median(const array& a, const std::vector<int>& axes, bool keepdims, StreamOrDevice s) {
  const std::vector<int> sorted_axes = normalize_axes(axes, a.ndim(), "median");
  const Dtype dtype = at_least_float(a.dtype());
  const array lines = gather_axes(a, sorted_axes, s);
  const array sorted = sort(lines, -1, s);
  const ShapeElem length = lines.shape(-1);
  array middle = astype(column(sorted, length / 2, s), dtype, s);
  if (length % 2 == 0) {
    const array before = astype(column(sorted, length / 2 - 1, s), dtype, s);
    middle = multiply(add(middle, before, s), array(0.5f, dtype), s);
  }
  if (issubdtype(a.dtype(), inexact)) {
    // NaN is sorted behind everything; as in other statistics it spoils its line.
    const array spoiled = any(isnan(lines, s), std::vector<int>{-1}, true, s);
    middle = where(spoiled, array(std::numeric_limits<float>::quiet_NaN(), dtype), middle, s);
  }
  return reshape(middle, reduced_shape(a.shape(), sorted_axes, keepdims), s);
}

array median(const array& a, bool keepdims, StreamOrDevice s) {
  return median(a, all_axes(a.ndim()), keepdims, s);
}
array median(const array& a, int axis, bool keepdims, StreamOrDevice s) {
  return median(a, std::vector<int>{axis}, keepdims, s);
}

}  // namespace assay
