// See launch_argument.h.
#include "cli/launch_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace assay::cli {
namespace {

constexpr std::string_view kForms =
    "write FILE.npy, out:TYPE[SHAPE]=FILE.npy, inout:FILE.npy=FILE.npy, TYPE:VALUE such as uint:5, "
    "bytes:HEX, threadgroup:BYTES, or - for nothing";

Error argument_error(std::string_view argument, std::string_view text) {
  return Error{fmt::format("argument '{}': {}", argument, text)};
}

template <typename Number>
std::optional<Number> parse_count(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// "4,5" → 4, 5; an empty text is a single value.
std::optional<std::vector<uint64_t>> parse_shape(std::string_view text) {
  std::vector<uint64_t> shape;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::optional<uint64_t> size = parse_count<uint64_t>(text.substr(0, comma));
    if (!size) return std::nullopt;
    shape.push_back(*size);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) return std::nullopt;
  }
  return shape;
}

Result<LaunchArgument> parse_output(std::string_view text, LaunchArgument argument) {
  argument.kind = LaunchArgumentKind::kOutput;
  const size_t open = text.find('[');
  const size_t close = text.find(']');
  const std::string_view behind = close == std::string_view::npos ? "" : text.substr(close + 1);
  if (open == std::string_view::npos || close == std::string_view::npos || close < open ||
      (!behind.empty() && (behind[0] != '=' || behind.size() == 1))) {
    return argument_error(argument.text,
                          "write out:TYPE[SHAPE]=FILE.npy, for example "
                          "out:float32[1024,4]=result.npy");
  }
  const auto type = find_array_type(text.substr(0, open));
  if (!type) {
    return argument_error(argument.text, fmt::format("'{}' is not an array type; use one of: {}",
                                                     text.substr(0, open), array_type_names()));
  }
  const auto shape = parse_shape(text.substr(open + 1, close - open - 1));
  if (!shape) {
    return argument_error(argument.text,
                          fmt::format("'{}' is not a shape; write sizes with commas, "
                                      "for example [1024,4]",
                                      text.substr(open, close - open + 1)));
  }
  if (!base::npy_data_bytes(type->storage, *shape)) {
    return argument_error(argument.text, "the array is too large");
  }
  argument.type = *type;
  argument.shape = *shape;
  if (!behind.empty()) argument.output_file = behind.substr(1);
  return argument;
}

Result<LaunchArgument> parse_in_out(std::string_view text, LaunchArgument argument) {
  argument.kind = LaunchArgumentKind::kInOut;
  const size_t equals = text.find('=');
  argument.input_file = text.substr(0, equals);
  if (equals != std::string_view::npos) argument.output_file = text.substr(equals + 1);
  const bool has_empty_output = equals != std::string_view::npos && argument.output_file.empty();
  if (argument.input_file.empty() || has_empty_output) {
    return argument_error(argument.text, "write inout:INPUT.npy=RESULT.npy");
  }
  return argument;
}

std::optional<uint8_t> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<uint8_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<uint8_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<uint8_t>(c - 'A' + 10);
  return std::nullopt;
}

Result<LaunchArgument> parse_hex(std::string_view text, LaunchArgument argument) {
  argument.kind = LaunchArgumentKind::kValue;
  bool is_good = !text.empty() && text.size() % 2 == 0;
  for (size_t i = 0; is_good && i < text.size(); i += 2) {
    const auto high = hex_digit(text[i]), low = hex_digit(text[i + 1]);
    is_good = high && low;
    if (is_good) argument.bytes.push_back(static_cast<std::byte>(*high << 4 | *low));
  }
  if (is_good) return argument;
  return argument_error(argument.text,
                        "write two hexadecimal digits for each byte, in memory order");
}

Result<LaunchArgument> parse_threadgroup(std::string_view text, LaunchArgument argument) {
  argument.kind = LaunchArgumentKind::kThreadgroupMemory;
  const std::optional<uint64_t> bytes = parse_count<uint64_t>(text);
  if (!bytes || *bytes == 0) {
    return argument_error(argument.text, "write a number of bytes, for example threadgroup:4096");
  }
  argument.threadgroup_bytes = *bytes;
  return argument;
}

}  // namespace

Result<LaunchArgument> parse_launch_argument(std::string_view text) {
  LaunchArgument argument;
  argument.text = text;
  if (text == "-") return argument;
  const size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    const std::string_view kind = text.substr(0, colon), rest = text.substr(colon + 1);
    if (kind == "out") return parse_output(rest, argument);
    if (kind == "inout") return parse_in_out(rest, argument);
    if (kind == "bytes") return parse_hex(rest, argument);
    if (kind == "threadgroup") return parse_threadgroup(rest, argument);
    if (const auto type = find_value_type(kind)) {
      Result<std::vector<std::byte>> bytes = parse_value(*type, rest);
      if (!bytes) return argument_error(text, bytes.error().message);
      argument.kind = LaunchArgumentKind::kValue;
      argument.value_type = type;
      argument.bytes = std::move(*bytes);
      return argument;
    }
  }
  if (text.ends_with(".npy")) {
    argument.kind = LaunchArgumentKind::kInput;
    argument.input_file = text;
    return argument;
  }
  const bool is_number = !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == '-';
  });
  if (is_number) {
    return argument_error(text, fmt::format("a number needs its type: write int:{0}, uint:{0} or "
                                            "float:{0}; a count of repeats is --time={0}",
                                            text));
  }
  return argument_error(text, kForms);
}

Result<kernel::Size3> parse_size(std::string_view text) {
  uint32_t sizes[3] = {1, 1, 1};
  std::string_view rest = text;
  for (int axis = 0; axis < 3; ++axis) {
    const size_t comma = rest.find(',');
    const std::optional<uint32_t> size = parse_count<uint32_t>(rest.substr(0, comma));
    if (!size || *size == 0) break;
    sizes[axis] = *size;
    if (comma == std::string_view::npos) return kernel::Size3{sizes[0], sizes[1], sizes[2]};
    rest.remove_prefix(comma + 1);
  }
  return Error{
      fmt::format("'{}' is not a size; write X, X,Y or X,Y,Z with numbers from 1 to "
                  "4294967295, for example 1024,8",
                  text)};
}

}  // namespace assay::cli
