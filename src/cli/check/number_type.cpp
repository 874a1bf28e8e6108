// See number_type.h.
#include "cli/check/number_type.h"

#include <fmt/format.h>

#include <cstring>
#include <random>

namespace assay::cli {
namespace {

// Integers wrap around: iota counts on beyond what the type holds.
uint64_t bits_of(const ScalarType& type, uint64_t number) {
  if (type.kind == NumberKind::kBool) return number != 0 ? 1 : 0;
  if (type.kind == NumberKind::kFloat) return float_bits(type, static_cast<double>(number));
  return number;
}

// Floats from -1 to 1, whole numbers from 0 to 99: small enough for every type.
uint64_t random_bits(const ScalarType& type, std::mt19937& random) {
  constexpr uint32_t kBelow = 100;
  if (type.kind != NumberKind::kFloat) {
    return type.kind == NumberKind::kBool ? random() % 2 : random() % kBelow;
  }
  const double unit = static_cast<double>(random() >> 8) / (1 << 24);
  return float_bits(type, unit * 2 - 1);
}

void store(uint64_t bits, uint32_t bytes, std::byte* place) { std::memcpy(place, &bits, bytes); }

}  // namespace

std::optional<ValueType> find_number_type(std::string_view name) {
  if (name == "float32") return find_value_type("float");
  if (const auto own = find_value_type(name)) return own;
  const std::optional<ArrayType> type = find_array_type(name);
  return type ? find_value_type(std::string(name) + "_t") : std::nullopt;
}

std::string number_type_names() {
  std::string names;
  for (const base::NpyTypeInfo& info : base::npy_types()) {
    if (find_number_type(info.name)) names += fmt::format("{}, ", info.name);
  }
  return names + "bfloat16";
}

Result<void> fill_array(const NewArray& array, uint32_t seed, std::span<std::byte> memory) {
  const ScalarType type = find_number_type(array.type.name())->scalar;
  const size_t count = memory.size() / type.bytes;
  std::mt19937 random(seed);
  std::vector<std::byte> number;
  for (size_t i = 0; i < count; ++i) {
    std::byte* place = memory.data() + i * type.bytes;
    switch (array.fill.kind) {
      case FillKind::kNone: return {};
      case FillKind::kZeros: store(0, type.bytes, place); break;
      case FillKind::kOnes: store(bits_of(type, 1), type.bytes, place); break;
      case FillKind::kIota: store(bits_of(type, i), type.bytes, place); break;
      case FillKind::kRandom: store(random_bits(type, random), type.bytes, place); break;
      case FillKind::kNumbers:
        if (i < array.fill.numbers.size()) {
          Result<std::vector<std::byte>> bytes = parse_value({type, 1}, array.fill.numbers[i]);
          if (!bytes) return bytes.error();
          number = std::move(*bytes);
        }
        std::memcpy(place, number.data(), type.bytes);
        break;
    }
  }
  return {};
}

}  // namespace assay::cli
