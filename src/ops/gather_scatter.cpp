// See gather_scatter.h. One kernel text serves both: a thread per element of a slice.
#include "ops/gather_scatter.h"

#include <algorithm>

#include "fmt/format.h"
#include "ops/copy.h"
#include "ops/element_types.h"
#include "ops/kernel_texts.h"

namespace assay {
namespace {

constexpr uint32_t kThreadsPerGroup = 256;

// As the kernel sees it.
struct Layout {
  uint32_t slice_size;  // elements of one slice
  uint32_t slices;      // how many
  int32_t rank;         // of the array
};

// Per axis: length of the slice along it, stride in the array.
struct Tables {
  std::vector<int32_t> lengths;
  std::vector<int64_t> strides;
  std::vector<int32_t> index_lengths;  // of the axes that have index arrays
  std::vector<int64_t> index_strides;
  std::vector<int32_t> index_slices;  // length of the slice along them
};

Tables make_tables(const array& whole, const Shape& slice, const std::vector<int>& axes) {
  Tables tables;
  tables.lengths.assign(slice.begin(), slice.end());
  tables.strides = whole.node().strides;
  for (const int axis : axes) {
    const auto at = static_cast<size_t>(axis);
    tables.index_lengths.push_back(whole.shape()[at]);
    tables.index_strides.push_back(whole.node().strides[at]);
    tables.index_slices.push_back(slice[at]);
  }
  // Empty bindings are refused.
  if (slice.empty()) {
    tables.lengths.push_back(1);
    tables.strides.push_back(0);
  }
  if (axes.empty()) {
    tables.index_lengths.push_back(1);
    tables.index_strides.push_back(0);
    tables.index_slices.push_back(1);
  }
  return tables;
}

// `place` in the whole array of element `element` of slice number `slice`. Indices are kept inside.
std::string write_place(size_t indices) {
  std::string text = "  long place = 0;\n";
  for (size_t i = 0; i < indices; ++i) {
    text += fmt::format(
        "  {{\n    long start = long(index{0}[slice]);\n"
        "    if (start < 0) start += index_lengths[{0}];\n"
        "    start = clamp(start, 0l, long(index_lengths[{0}] - index_slices[{0}]));\n"
        "    place += start * index_strides[{0}];\n  }}\n",
        i);
  }
  return text +
         "  uint rest = element;\n"
         "  for (int axis = layout.rank - 1; axis >= 0; --axis) {\n"
         "    place += long(rest % uint(lengths[axis])) * strides[axis];\n"
         "    rest /= uint(lengths[axis]);\n  }\n";
}

std::string write_kernel(const std::string& name, const std::string& arrays, size_t indices,
                         std::string_view index_type, bool is_wide, const std::string& prelude,
                         const std::string& action) {
  std::string text = fmt::format(
      "#include <metal_stdlib>\nusing namespace metal;\n{}struct Layout {{\n  uint slice_size;\n  "
      "uint slices;\n"
      "  int rank;\n}};\nkernel void {}({},\n",
      prelude, name, arrays);
  uint32_t slot = 2;
  for (size_t i = 0; i < indices; ++i) {
    text += fmt::format("    device const {}* index{} [[buffer({})]],\n", index_type, i, slot++);
  }
  text += fmt::format("    constant Layout& layout [[buffer({})]],\n", slot++);
  text += fmt::format("    constant int* lengths [[buffer({})]],\n", slot++);
  text += fmt::format("    constant long* strides [[buffer({})]],\n", slot++);
  text += fmt::format("    constant int* index_lengths [[buffer({})]],\n", slot++);
  text += fmt::format("    constant long* index_strides [[buffer({})]],\n", slot++);
  text += fmt::format("    constant int* index_slices [[buffer({})]],\n", slot++);
  text += "    uint2 position [[thread_position_in_grid]]) {\n";
  // Long slices lie along x, so that the index is the same for all lanes.
  text += is_wide ? "  uint slice = position.y, element = position.x;\n"
                  : "  uint slice = position.x / layout.slice_size;\n"
                    "  uint element = position.x % layout.slice_size;\n";
  text += "  ulong number = ulong(slice) * layout.slice_size + element;\n";
  return text + write_place(indices) + action + "}\n";
}

struct Launch {
  Layout layout;
  bool is_wide;
  kernel::LaunchSize size;
};

Launch make_launch(size_t slices, size_t slice_size, size_t rank, bool is_serial) {
  Launch launch{{static_cast<uint32_t>(slice_size), static_cast<uint32_t>(slices),
                 static_cast<int32_t>(rank)},
                slice_size >= 32 && !is_serial,
                {}};
  const auto all = static_cast<uint32_t>(slices * slice_size);
  if (launch.is_wide) {
    const uint32_t along = std::min(launch.layout.slice_size, kThreadsPerGroup);
    const uint32_t across = std::min(launch.layout.slices, std::max(1u, kThreadsPerGroup / along));
    launch.size = kernel::LaunchSize::threads({launch.layout.slice_size, launch.layout.slices, 1},
                                              {along, across, 1});
  } else {
    launch.size = kernel::LaunchSize::threads({all, 1, 1}, {std::min(all, kThreadsPerGroup), 1, 1});
  }
  return launch;
}

void add_tables(Arguments& arguments, const Layout& layout, const Tables& tables) {
  arguments.value(layout);
  arguments.values<int32_t>(tables.lengths).values<int64_t>(tables.strides);
  arguments.values<int32_t>(tables.index_lengths).values<int64_t>(tables.index_strides);
  arguments.values<int32_t>(tables.index_slices);
}

// Types with atomic operations of their own; others are combined by one thread.
bool has_atomics(Dtype dtype) { return dtype == float32 || dtype == int32 || dtype == uint32; }

// `*target` combined with `value`, for one thread alone.
std::string combine_text(ScatterKind kind, Dtype dtype) {
  const bool is_short = dtype == float16 || dtype == bfloat16;
  const std::string_view type = msl_type(dtype);
  const std::string a = is_short ? "float(target[place])" : "target[place]";
  const std::string b = is_short ? "float(value)" : "value";
  switch (kind) {
    case ScatterKind::kAdd: return fmt::format("{}({} + {})", type, a, b);
    case ScatterKind::kMultiply: return fmt::format("{}({} * {})", type, a, b);
    case ScatterKind::kMaximum: return fmt::format("{0} > {1} ? target[place] : value", a, b);
    case ScatterKind::kMinimum: return fmt::format("{0} < {1} ? target[place] : value", a, b);
    case ScatterKind::kSet: break;
  }
  return "value";
}

std::string atomic_action(ScatterKind kind, Dtype dtype) {
  const std::string_view type = msl_type(dtype);
  if (kind == ScatterKind::kAdd) {
    return fmt::format(
        "  atomic_fetch_add_explicit((device atomic<{0}>*)target + place, "
        "updates[number], memory_order_relaxed);\n",
        type);
  }
  std::string combine = "value";
  if (kind == ScatterKind::kMultiply) combine = "old * value";
  if (kind == ScatterKind::kMaximum) combine = "old > value ? old : value";
  if (kind == ScatterKind::kMinimum) combine = "old < value ? old : value";
  return fmt::format(
      "  {0} value = updates[number];\n"
      "  device atomic_uint* word = (device atomic_uint*)target + place;\n"
      "  uint bits = atomic_load_explicit(word, memory_order_relaxed);\n"
      "  while (true) {{\n    {0} old = as_type<{0}>(bits);\n"
      "    {0} made = {1};\n"
      "    if (atomic_compare_exchange_weak_explicit(word, &bits, as_type<uint>(made), "
      "memory_order_relaxed, memory_order_relaxed)) break;\n  }}\n",
      type, combine);
}

}  // namespace

bool Gather::is_same(const Primitive& other) const {
  const auto* gather = dynamic_cast<const Gather*>(&other);
  return gather && gather->axes_ == axes_ && gather->slice_sizes_ == slice_sizes_;
}

std::optional<std::vector<Shape>> Gather::infer_shapes(std::span<const array> inputs) const {
  for (size_t i = 0; i < slice_sizes_.size(); ++i) {
    const bool is_indexed =
        std::find(axes_.begin(), axes_.end(), static_cast<int>(i)) != axes_.end();
    // Axes without indices are taken whole.
    const ShapeElem length = inputs[0].shape()[i];
    if (is_indexed ? slice_sizes_[i] > length : slice_sizes_[i] != length) return {};
  }
  for (const array& indices : inputs.subspan(1)) {
    if (indices.shape() != inputs[1].shape()) return {};
  }
  Shape shape = inputs.size() > 1 ? inputs[1].shape() : Shape{};
  shape.insert(shape.end(), slice_sizes_.begin(), slice_sizes_.end());
  return std::vector<Shape>{std::move(shape)};
}

void Gather::encode(std::span<const array> inputs, std::span<array> outputs,
                    Encoder& encoder) const {
  array& output = outputs[0];
  encoder.allocate(output);
  if (output.size() == 0) return;
  const array& whole = inputs[0];
  const size_t slice_size = count_elements(slice_sizes_);
  const Launch launch = make_launch(output.size() / slice_size, slice_size, whole.ndim(), false);
  Arguments arguments;
  arguments.input(whole).output(output);
  std::vector<array> indices;
  for (const array& each : inputs.subspan(1)) {
    indices.push_back(encoder.make_row_contiguous(each));
    arguments.input(indices.back());
  }
  add_tables(arguments, launch.layout, make_tables(whole, slice_sizes_, axes_));
  const std::string_view type = bits_type(whole.dtype());
  const std::string_view index_type = indices.empty() ? "int" : msl_type(indices[0].dtype());
  const std::string key = fmt::format("gather {} {} {} {}", type, index_type, indices.size(),
                                      launch.is_wide ? "wide" : "flat");
  auto write = [&] {
    const std::string arrays = fmt::format(
        "device const {0}* source [[buffer(0)]], device {0}* target [[buffer(1)]]", type);
    return write_kernel("gather", arrays, indices.size(), index_type, launch.is_wide, "",
                        "  target[number] = source[place];\n");
  };
  encoder.dispatch({.key = key, .source = write, .name = "gather"}, arguments, launch.size);
}

bool Scatter::is_same(const Primitive& other) const {
  const auto* scatter = dynamic_cast<const Scatter*>(&other);
  return scatter && scatter->axes_ == axes_ && scatter->kind_ == kind_;
}

void Scatter::encode(std::span<const array> inputs, std::span<array> outputs,
                     Encoder& encoder) const {
  array& output = outputs[0];
  encode_take_over(inputs[0], output, inputs, encoder);
  const array updates = encoder.make_row_contiguous(inputs[1]);
  if (updates.size() == 0) return;
  const Shape slice(updates.shape().end() - static_cast<std::ptrdiff_t>(output.ndim()),
                    updates.shape().end());
  const size_t slice_size = count_elements(slice);
  const Dtype dtype = output.dtype();
  const bool is_serial = kind_ != ScatterKind::kSet && !has_atomics(dtype);
  Launch launch = make_launch(updates.size() / slice_size, slice_size, output.ndim(), is_serial);
  Arguments arguments;
  arguments.output(output).input(updates);
  std::vector<array> indices;
  for (const array& each : inputs.subspan(2)) {
    indices.push_back(encoder.make_row_contiguous(each));
    arguments.input(indices.back());
  }
  add_tables(arguments, launch.layout, make_tables(output, slice, axes_));
  const std::string_view index_type = indices.empty() ? "int" : msl_type(indices[0].dtype());
  const std::string key =
      fmt::format("scatter {} {} {} {} {}", static_cast<int>(kind_), short_name(dtype), index_type,
                  indices.size(), launch.is_wide ? "wide" : "flat");
  auto write = [&] {
    const std::string_view type = kind_ == ScatterKind::kSet ? bits_type(dtype) : msl_type(dtype);
    const std::string arrays = fmt::format(
        "device {0}* target [[buffer(0)]], device const {0}* updates [[buffer(1)]]", type);
    const std::string prelude(is_complex(dtype) ? ops::kernel_text("complex") : "");
    if (kind_ == ScatterKind::kSet) {
      return write_kernel("scatter", arrays, indices.size(), index_type, launch.is_wide, "",
                          "  target[place] = updates[number];\n");
    }
    if (!is_serial) {
      return write_kernel("scatter", arrays, indices.size(), index_type, launch.is_wide, prelude,
                          atomic_action(kind_, dtype));
    }
    // One thread walks over all updates: the text's position becomes its counter.
    std::string text =
        write_kernel("scatter", arrays, indices.size(), index_type, false, prelude,
                     fmt::format("  {} value = updates[number];\n  target[place] = {};\n", type,
                                 combine_text(kind_, dtype)));
    const std::string parameter = "uint2 position [[thread_position_in_grid]]) {\n";
    const size_t at = text.find(parameter);
    text.replace(at, parameter.size(),
                 "uint thread_number [[thread_position_in_grid]]) {\n"
                 "  uint2 position = uint2(0, 0);\n"
                 "  for (; position.x < layout.slices * layout.slice_size; ++position.x) {\n");
    return text + "}\n";
  };
  if (is_serial) launch.size = kernel::LaunchSize::threads({1, 1, 1}, {1, 1, 1});
  encoder.dispatch({.key = key, .source = write, .name = "scatter"}, arguments, launch.size);
}

}  // namespace assay
