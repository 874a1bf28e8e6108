// See element_type.h.
#include "replay/element_type.h"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>

namespace assay::replay {
namespace {

struct TypeRow {
  ElementType type;
  std::string_view dtype;  // of arrays
  std::string_view msl;
  size_t bytes;
  bool is_floating;
};

constexpr TypeRow kTypes[] = {
    {ElementType::kByte, "byte", "", 1, false},
    {ElementType::kBool, "bool", "bool", 1, false},
    {ElementType::kInt8, "int8", "char", 1, false},
    {ElementType::kUint8, "uint8", "uchar", 1, false},
    {ElementType::kInt16, "int16", "short", 2, false},
    {ElementType::kUint16, "uint16", "ushort", 2, false},
    {ElementType::kInt32, "int32", "int", 4, false},
    {ElementType::kUint32, "uint32", "uint", 4, false},
    {ElementType::kInt64, "int64", "long", 8, false},
    {ElementType::kUint64, "uint64", "ulong", 8, false},
    {ElementType::kFloat16, "float16", "half", 2, true},
    {ElementType::kBfloat16, "bfloat16", "bfloat", 2, true},
    {ElementType::kFloat32, "float32", "float", 4, true},
    {ElementType::kFloat64, "float64", "", 8, true},
    {ElementType::kComplex64, "complex64", "", 8, true},
};

const TypeRow& row(ElementType type) { return kTypes[static_cast<size_t>(type)]; }

template <typename T>
T load(std::span<const std::byte> bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

uint64_t load_bits(std::span<const std::byte> bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), bytes.size());
  return bits;
}

bool is_word(char each) {
  return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_';
}

std::optional<ElementType> find_msl_scalar(std::string_view word) {
  constexpr std::string_view kPrefixes[] = {"packed_", "atomic_"};
  for (const std::string_view prefix : kPrefixes) {
    if (word.starts_with(prefix)) word.remove_prefix(prefix.size());
  }
  if (!word.empty() && word.back() >= '2' && word.back() <= '4') word.remove_suffix(1);
  if (word.ends_with("_t")) word.remove_suffix(2);  // int32_t, uint8_t …
  for (const TypeRow& each : kTypes) {
    if (each.type == ElementType::kByte) continue;
    const bool is_fixed_width = each.dtype == word && !each.is_floating;
    if ((!each.msl.empty() && each.msl == word) || is_fixed_width) return each.type;
  }
  return std::nullopt;
}

std::string float_text(ElementType type, std::span<const std::byte> bytes) {
  const double value = float_value(type, bytes);
  if (std::isnan(value)) return fmt::format("NaN (bits 0x{:x})", load_bits(bytes));
  // The shortest text that gives the same number again, in the number's own precision.
  if (type == ElementType::kFloat64) return fmt::format("{}", value);
  return fmt::format("{}", static_cast<float>(value));
}

}  // namespace

size_t element_bytes(ElementType type) { return row(type).bytes; }
bool is_floating(ElementType type) { return row(type).is_floating; }
std::string_view element_name(ElementType type) { return row(type).dtype; }

std::optional<ElementType> find_dtype(std::string_view name) {
  for (const TypeRow& each : kTypes) {
    if (each.dtype == name) return each.type;
  }
  return std::nullopt;
}

std::optional<ElementType> find_msl_type(std::string_view type) {
  for (size_t begin = 0; begin < type.size();) {
    if (!is_word(type[begin])) {
      ++begin;
      continue;
    }
    size_t end = begin;
    while (end < type.size() && is_word(type[end])) ++end;
    if (const auto found = find_msl_scalar(type.substr(begin, end - begin))) return found;
    begin = end;
  }
  return std::nullopt;
}

double float_value(ElementType type, std::span<const std::byte> bytes) {
  switch (type) {
    case ElementType::kFloat16: return static_cast<double>(load<_Float16>(bytes));
    case ElementType::kBfloat16: return std::bit_cast<float>(uint32_t{load<uint16_t>(bytes)} << 16);
    case ElementType::kFloat64: return load<double>(bytes);
    default: return load<float>(bytes);
  }
}

std::optional<uint64_t> ulp_distance(ElementType type, std::span<const std::byte> a,
                                     std::span<const std::byte> b) {
  const size_t size = type == ElementType::kComplex64 ? 4 : element_bytes(type);
  const uint64_t first = load_bits(a.first(size)), second = load_bits(b.first(size));
  if (first == second) return 0;
  if (std::isnan(float_value(type, a)) || std::isnan(float_value(type, b))) return std::nullopt;
  // Steps from zero, so that -0 and +0 are one place and the numbers follow one another.
  const uint64_t sign = uint64_t{1} << (8 * size - 1);
  const bool is_same_side = ((first ^ second) & sign) == 0;
  const uint64_t first_steps = first & ~sign, second_steps = second & ~sign;
  if (!is_same_side) return first_steps + second_steps;
  return first_steps > second_steps ? first_steps - second_steps : second_steps - first_steps;
}

std::string element_text(ElementType type, std::span<const std::byte> bytes) {
  switch (type) {
    case ElementType::kByte: return fmt::format("0x{:02x}", load<uint8_t>(bytes));
    case ElementType::kBool: {
      const auto value = load<uint8_t>(bytes);
      return value > 1 ? fmt::format("true (byte 0x{:02x})", value) : value ? "true" : "false";
    }
    case ElementType::kInt8: return fmt::format("{}", int{load<int8_t>(bytes)});
    case ElementType::kUint8: return fmt::format("{}", int{load<uint8_t>(bytes)});
    case ElementType::kInt16: return fmt::format("{}", load<int16_t>(bytes));
    case ElementType::kUint16: return fmt::format("{}", load<uint16_t>(bytes));
    case ElementType::kInt32: return fmt::format("{}", load<int32_t>(bytes));
    case ElementType::kUint32: return fmt::format("{}", load<uint32_t>(bytes));
    case ElementType::kInt64: return fmt::format("{}", load<int64_t>(bytes));
    case ElementType::kUint64: return fmt::format("{}", load<uint64_t>(bytes));
    case ElementType::kComplex64:
      return fmt::format("({}, {})", float_text(ElementType::kFloat32, bytes.first(4)),
                         float_text(ElementType::kFloat32, bytes.subspan(4, 4)));
    case ElementType::kFloat16:
    case ElementType::kBfloat16:
    case ElementType::kFloat32:
    case ElementType::kFloat64: return float_text(type, bytes);
  }
  return {};
}

}  // namespace assay::replay
