// Text → bytes of a function constant (declared in pipeline_cache.h).
#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <vector>

#include "base/parse_number.h"
#include "pipeline/pipeline_cache.h"

namespace assay::pipeline {
namespace {

enum class ScalarKind { kBool, kSigned, kUnsigned, kFloat, kHalf };

struct ScalarType {
  std::string_view name;
  ScalarKind kind;
  uint32_t bytes;
};

constexpr ScalarType kScalarTypes[] = {
    {"bool", ScalarKind::kBool, 1},         {"char", ScalarKind::kSigned, 1},
    {"uchar", ScalarKind::kUnsigned, 1},    {"short", ScalarKind::kSigned, 2},
    {"ushort", ScalarKind::kUnsigned, 2},   {"int", ScalarKind::kSigned, 4},
    {"uint", ScalarKind::kUnsigned, 4},     {"long", ScalarKind::kSigned, 8},
    {"ulong", ScalarKind::kUnsigned, 8},    {"float", ScalarKind::kFloat, 4},
    {"half", ScalarKind::kHalf, 2},         {"int8_t", ScalarKind::kSigned, 1},
    {"uint8_t", ScalarKind::kUnsigned, 1},  {"int16_t", ScalarKind::kSigned, 2},
    {"uint16_t", ScalarKind::kUnsigned, 2}, {"int32_t", ScalarKind::kSigned, 4},
    {"uint32_t", ScalarKind::kUnsigned, 4}, {"int64_t", ScalarKind::kSigned, 8},
    {"uint64_t", ScalarKind::kUnsigned, 8}, {"size_t", ScalarKind::kUnsigned, 8}};

// "ushort2" → ushort and 2.
std::optional<std::pair<ScalarType, uint32_t>> split_type(std::string_view type) {
  uint32_t components = 1;
  if (!type.empty() && type.back() >= '2' && type.back() <= '4') {
    components = static_cast<uint32_t>(type.back() - '0');
    type.remove_suffix(1);
  }
  for (const ScalarType& scalar : kScalarTypes) {
    if (scalar.name == type) return std::pair(scalar, components);
  }
  return std::nullopt;
}

void append_low_bytes(uint64_t value, uint32_t bytes, std::vector<uint8_t>& out) {
  for (uint32_t i = 0; i < bytes; ++i) out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

bool append_integer(const ScalarType& type, std::string_view text, std::vector<uint8_t>& out) {
  if (type.kind == ScalarKind::kSigned) {
    std::optional<int64_t> value = parse_number<int64_t>(text);
    int64_t limit = type.bytes == 8 ? INT64_MAX : (int64_t{1} << (8 * type.bytes - 1)) - 1;
    if (!value || *value > limit || *value < -limit - 1) return false;
    append_low_bytes(static_cast<uint64_t>(*value), type.bytes, out);
    return true;
  }
  std::optional<uint64_t> value = parse_number<uint64_t>(text);
  uint64_t limit = type.bytes == 8 ? UINT64_MAX : (uint64_t{1} << (8 * type.bytes)) - 1;
  if (!value || *value > limit) return false;
  append_low_bytes(*value, type.bytes, out);
  return true;
}

bool append_scalar(const ScalarType& type, std::string_view text, std::vector<uint8_t>& out) {
  switch (type.kind) {
    case ScalarKind::kBool: {
      bool is_true = text == "true" || text == "1";
      if (!is_true && text != "false" && text != "0") return false;
      out.push_back(is_true ? 1 : 0);
      return true;
    }
    case ScalarKind::kSigned:
    case ScalarKind::kUnsigned: return append_integer(type, text, out);
    case ScalarKind::kFloat:
    case ScalarKind::kHalf: {
      std::optional<float> value = parse_number<float>(text);
      if (!value) return false;
      if (type.kind == ScalarKind::kHalf) {
        _Float16 half = static_cast<_Float16>(*value);
        uint16_t bits = 0;
        std::memcpy(&bits, &half, sizeof bits);
        append_low_bytes(bits, 2, out);
      } else {
        uint32_t bits = 0;
        std::memcpy(&bits, &*value, sizeof bits);
        append_low_bytes(bits, 4, out);
      }
      return true;
    }
  }
  return false;
}

}  // namespace

Result<codegen::ConstantValue> parse_constant(const kernel::FunctionConstant& constant,
                                              std::string_view text) {
  auto type = split_type(constant.type);
  if (!type) {
    return Error{fmt::format("[constant] '{}' has type '{}', which cannot be given as text",
                             constant.name, constant.type)};
  }
  codegen::ConstantValue value{constant.index, constant.name, {}};
  std::string_view rest = text;
  for (uint32_t i = 0; i < type->second; ++i) {
    size_t comma = rest.find(',');
    bool is_last = i + 1 == type->second;
    if ((comma == std::string_view::npos) != is_last ||
        !append_scalar(type->first, rest.substr(0, comma), value.bytes)) {
      return Error{fmt::format("[constant] '{}' is not a value for '{}' of type {}", text,
                               constant.name, constant.type)};
    }
    if (!is_last) rest.remove_prefix(comma + 1);
  }
  value.bytes.resize(constant.bytes);  // three components take the room of four
  return value;
}

}  // namespace assay::pipeline
