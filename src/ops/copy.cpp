// See copy.h. Copies move bits: one kernel serves all types of a size.
#include "ops/copy.h"

#include "fmt/format.h"
#include "ops/element_types.h"
#include "ops/layout.h"

namespace assay {
namespace {

struct Layout {
  uint32_t width;
  int32_t rank;
};

std::string inner_index(char access, const char* row, const char* stride) {
  if (access == '0') return row;
  if (access == '1') return fmt::format("{} + position.x", row);
  return fmt::format("{} + long(position.x) * {}", row, stride);
}

std::string write_copy(std::string_view type, char from, char to) {
  return fmt::format(
      R"(#include <metal_stdlib>
struct Layout {{
  uint width;
  int rank;
}};
kernel void copy(device const {0}* source [[buffer(0)]], device {0}* target [[buffer(1)]],
                 constant Layout& layout [[buffer(2)]], constant int* shape [[buffer(3)]],
                 constant long* from [[buffer(4)]], constant long* to [[buffer(5)]],
                 uint2 position [[thread_position_in_grid]]) {{
  long source_row = 0, target_row = 0;
  uint rest = position.y;
  for (int axis = layout.rank - 1; axis >= 0; --axis) {{
    long coordinate = rest % uint(shape[axis]);
    rest /= uint(shape[axis]);
    source_row += coordinate * from[axis];
    target_row += coordinate * to[axis];
  }}
  target[{2}] = source[{1}];
}}
)",
      type, inner_index(from, "source_row", "from[layout.rank]"),
      inner_index(to, "target_row", "to[layout.rank]"));
}

char access_of(int64_t stride) { return stride == 0 ? '0' : stride == 1 ? '1' : 's'; }

}  // namespace

void encode_copy(const array& source, const array& target, Encoder& encoder) {
  if (target.size() == 0) return;
  const array both[] = {source, target};
  const MergedLayout merged = merge_axes(target.shape(), both);
  const size_t rank = merged.shape.size() - 1;
  const auto width = static_cast<uint32_t>(merged.shape[rank]);
  const auto rows = static_cast<uint32_t>(target.size() / width);
  const char from = access_of(merged.strides[0][rank]), to = access_of(merged.strides[1][rank]);
  const std::string_view type = bits_type(target.dtype());
  const std::string key = fmt::format("copy {} {}{}", type, from, to);
  Arguments arguments;
  arguments.input(source).output(target).value(Layout{width, static_cast<int32_t>(rank)});
  arguments.values<ShapeElem>(merged.shape);
  arguments.values<int64_t>(merged.strides[0]).values<int64_t>(merged.strides[1]);
  encoder.dispatch(
      {.key = key, .source = [&] { return write_copy(type, from, to); }, .name = "copy"}, arguments,
      row_launch(width, rows));
}

void encode_take_over(const array& source, array& output, std::span<const array> inputs,
                      Encoder& encoder) {
  if (encoder.allocate_or_reuse(output, inputs.first(1))) return;
  encode_copy(source, output, encoder);
}

array make_alias(const array& of, Shape shape, Strides strides, int64_t offset) {
  auto node = base::make_recycled<Node>(std::move(shape), of.dtype());
  node->storage = of.node().storage;
  node->strides = std::move(strides);
  node->offset = of.node().offset + offset * static_cast<int64_t>(of.itemsize());
  return array(std::move(node));
}

}  // namespace assay
