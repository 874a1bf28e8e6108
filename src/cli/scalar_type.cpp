// See scalar_type.h.
#include "cli/scalar_type.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/parse_number.h"

namespace assay::cli {
namespace {

constexpr ScalarType kBool{"bool", NumberKind::kBool, 1};
constexpr ScalarType kChar{"char", NumberKind::kSigned, 1};
constexpr ScalarType kUchar{"uchar", NumberKind::kUnsigned, 1};
constexpr ScalarType kShort{"short", NumberKind::kSigned, 2};
constexpr ScalarType kUshort{"ushort", NumberKind::kUnsigned, 2};
constexpr ScalarType kInt{"int", NumberKind::kSigned, 4};
constexpr ScalarType kUint{"uint", NumberKind::kUnsigned, 4};
constexpr ScalarType kLong{"long", NumberKind::kSigned, 8};
constexpr ScalarType kUlong{"ulong", NumberKind::kUnsigned, 8};
constexpr ScalarType kHalf{"half", NumberKind::kFloat, 2};
constexpr ScalarType kBfloat{"bfloat", NumberKind::kFloat, 2};
constexpr ScalarType kFloat{"float", NumberKind::kFloat, 4};

struct Alias {
  std::string_view name;
  ScalarType type;
};

constexpr Alias kNames[] = {
    {"bool", kBool},           {"char", kChar},
    {"uchar", kUchar},         {"short", kShort},
    {"ushort", kUshort},       {"int", kInt},
    {"uint", kUint},           {"long", kLong},
    {"ulong", kUlong},         {"half", kHalf},
    {"bfloat", kBfloat},       {"float", kFloat},
    {"int8_t", kChar},         {"uint8_t", kUchar},
    {"int16_t", kShort},       {"uint16_t", kUshort},
    {"int32_t", kInt},         {"uint32_t", kUint},
    {"int64_t", kLong},        {"uint64_t", kUlong},
    {"size_t", kUlong},        {"ptrdiff_t", kLong},
    {"bfloat16_t", kBfloat},   {"float16_t", kHalf},
    {"unsigned char", kUchar}, {"unsigned short", kUshort},
    {"unsigned int", kUint},   {"unsigned long", kUlong},
};

std::optional<ScalarType> find_scalar(std::string_view name) {
  for (const Alias& alias : kNames) {
    if (alias.name == name) return alias.type;
  }
  return std::nullopt;
}

void append_bytes(uint64_t bits, uint32_t bytes, std::vector<std::byte>& out) {
  for (uint32_t i = 0; i < bytes; ++i) out.push_back(static_cast<std::byte>(bits >> (8 * i)));
}

// The magnitude of an integer in decimal or, behind 0x, hexadecimal digits.
std::optional<uint64_t> parse_magnitude(std::string_view text) {
  if (text.starts_with("0x")) return parse_number<uint64_t>(text.substr(2), 16);
  return parse_number<uint64_t>(text);
}

std::optional<uint64_t> parse_integer(const ScalarType& type, std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const std::optional<uint64_t> magnitude = parse_magnitude(text);
  if (!magnitude) return std::nullopt;
  const bool is_signed = type.kind == NumberKind::kSigned;
  const uint32_t bits = type.bytes * 8 - (is_signed ? 1 : 0);
  const uint64_t max =
      bits == 64 ? std::numeric_limits<uint64_t>::max() : (uint64_t{1} << bits) - 1;
  if (!is_negative) return *magnitude <= max ? magnitude : std::nullopt;
  const uint64_t max_below_zero = is_signed ? max + 1 : 0;
  return *magnitude <= max_below_zero ? std::optional(0 - *magnitude) : std::nullopt;
}

std::optional<uint64_t> parse_float(const ScalarType& type, std::string_view text) {
  const std::optional<double> value = parse_number<double>(text);
  if (!value) return std::nullopt;
  return float_bits(type, *value);
}

std::optional<uint64_t> parse_scalar(const ScalarType& type, std::string_view text) {
  switch (type.kind) {
    case NumberKind::kBool:
      if (text == "true" || text == "1") return 1;
      if (text == "false" || text == "0") return 0;
      return std::nullopt;
    case NumberKind::kSigned:
    case NumberKind::kUnsigned: return parse_integer(type, text);
    case NumberKind::kFloat: break;
  }
  return parse_float(type, text);
}

// Takes `word` off the front if a space or the end follows it.
bool drop_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word) || text.size() == word.size() || text[word.size()] != ' ')
    return false;
  text.remove_prefix(word.size() + 1);
  return true;
}

}  // namespace

std::string ValueType::name() const {
  return components == 1 ? std::string(scalar.name) : fmt::format("{}{}", scalar.name, components);
}

std::optional<ValueType> find_value_type(std::string_view name) {
  if (const auto scalar = find_scalar(name)) return ValueType{*scalar, 1};
  if (name.empty() || name.back() < '2' || name.back() > '4') return std::nullopt;
  const auto components = static_cast<uint32_t>(name.back() - '0');
  name.remove_suffix(1);
  const auto scalar = find_scalar(name);
  if (!scalar || name.ends_with("_t")) return std::nullopt;
  return ValueType{*scalar, components};
}

std::optional<ValueType> find_element_type(std::string_view argument_type) {
  while (!argument_type.empty() &&
         std::string_view("*& ").find(argument_type.back()) != std::string_view::npos) {
    argument_type.remove_suffix(1);
  }
  bool is_shorter = true;
  while (is_shorter) {
    is_shorter = false;
    for (const std::string_view word :
         {"const", "volatile", "device", "constant", "threadgroup", "coherent"}) {
      is_shorter = drop_word(argument_type, word) || is_shorter;
    }
  }
  if (argument_type.starts_with("metal::")) argument_type.remove_prefix(7);
  if (argument_type.starts_with("atomic_")) argument_type.remove_prefix(7);
  if (argument_type.starts_with("atomic<") && argument_type.ends_with('>')) {
    argument_type = argument_type.substr(7, argument_type.size() - 8);
  }
  if (argument_type.starts_with("packed_")) argument_type.remove_prefix(7);
  return find_value_type(argument_type);
}

Result<std::vector<std::byte>> parse_value(const ValueType& type, std::string_view text) {
  std::vector<std::byte> bytes;
  std::string_view rest = text;
  for (uint32_t i = 0; i < type.components; ++i) {
    const size_t comma = rest.find(',');
    const bool is_last = i + 1 == type.components;
    if (is_last != (comma == std::string_view::npos)) {
      return Error{fmt::format("'{}' does not have the {} of {}; write them with commas between",
                               text, type.components == 1 ? "one value" : "values", type.name())};
    }
    const std::string_view part = rest.substr(0, comma);
    const std::optional<uint64_t> bits = parse_scalar(type.scalar, part);
    if (!bits) {
      return Error{fmt::format("'{}' is not a value of {}", part, type.scalar.name)};
    }
    append_bytes(*bits, type.scalar.bytes, bytes);
    if (!is_last) rest.remove_prefix(comma + 1);
  }
  bytes.resize(type.bytes());
  return bytes;
}

uint64_t float_bits(const ScalarType& type, double value) {
  if (type.name == kHalf.name) return std::bit_cast<uint16_t>(static_cast<_Float16>(value));
  if (type.name == kBfloat.name) return bfloat_bits(static_cast<float>(value));
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

uint16_t bfloat_bits(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return static_cast<uint16_t>((bits >> 16) | 0x40);
  // Half of the last place kept, less one where that makes a tie even.
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

float bfloat_value(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

}  // namespace assay::cli
