// See array_type.h.
#include "cli/array_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <vector>

#include "cli/scalar_type.h"

namespace assay::cli {
namespace {

constexpr std::string_view kBfloatName = "bfloat16";

template <typename Value>
Value read(const std::byte* data) {
  Value value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

std::string number_text(double value) { return fmt::format("{:.6g}", value); }

std::string element_text(const ArrayType& type, const std::byte* data) {
  using base::NpyType;
  if (type.is_bfloat) return number_text(bfloat_value(read<uint16_t>(data)));
  switch (type.storage) {
    case NpyType::kBool: return read<uint8_t>(data) != 0 ? "true" : "false";
    case NpyType::kInt8: return fmt::format("{}", static_cast<int>(read<int8_t>(data)));
    case NpyType::kInt16: return fmt::format("{}", read<int16_t>(data));
    case NpyType::kInt32: return fmt::format("{}", read<int32_t>(data));
    case NpyType::kInt64: return fmt::format("{}", read<int64_t>(data));
    case NpyType::kUint8: return fmt::format("{}", static_cast<unsigned>(read<uint8_t>(data)));
    case NpyType::kUint16: return fmt::format("{}", read<uint16_t>(data));
    case NpyType::kUint32: return fmt::format("{}", read<uint32_t>(data));
    case NpyType::kUint64: return fmt::format("{}", read<uint64_t>(data));
    case NpyType::kFloat16: return number_text(static_cast<double>(read<_Float16>(data)));
    case NpyType::kFloat32: return number_text(read<float>(data));
    case NpyType::kFloat64: return number_text(read<double>(data));
    case NpyType::kBfloat16: return number_text(bfloat_value(read<uint16_t>(data)));
    case NpyType::kComplex64: break;
  }
  return fmt::format("{:.6g}{:+.6g}i", read<float>(data), read<float>(data + sizeof(float)));
}

}  // namespace

std::string_view ArrayType::name() const {
  return is_bfloat ? kBfloatName : base::npy_type_info(storage).name;
}

bool ArrayType::is_float() const {
  using base::NpyType;
  return is_bfloat || storage == NpyType::kFloat16 || storage == NpyType::kFloat32 ||
         storage == NpyType::kFloat64 || storage == NpyType::kComplex64;
}

std::optional<ArrayType> find_array_type(std::string_view name) {
  if (name == kBfloatName) return ArrayType{base::NpyType::kUint16, true};
  if (const auto type = base::find_npy_type(name)) return ArrayType{*type, false};
  return std::nullopt;
}

std::string array_type_names() {
  std::string names;
  for (const base::NpyTypeInfo& info : base::npy_types()) names += fmt::format("{}, ", info.name);
  return names + std::string(kBfloatName);
}

std::string preview_text(const ArrayType& type, std::span<const std::byte> data) {
  constexpr size_t kShownFirst = 6, kShownLast = 2;
  const size_t count = data.size() / type.bytes();
  std::vector<std::string> parts;
  for (size_t i = 0; i < count; ++i) {
    if (count > kShownFirst + kShownLast && i == kShownFirst) {
      parts.emplace_back("…");
      i = count - kShownLast;
    }
    parts.push_back(element_text(type, data.data() + i * type.bytes()));
  }
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

}  // namespace assay::cli
