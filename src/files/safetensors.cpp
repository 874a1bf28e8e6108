// Arrays in safetensors files: eight bytes of header length, a JSON header, then the data.
#include <bit>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "assay/io.h"
#include "assay/ops.h"
#include "base/file_bytes.h"
#include "fmt/format.h"

namespace assay {
namespace {

using Json = nlohmann::json;

struct TypeName {
  Dtype dtype;
  const char* name;
};
constexpr TypeName kTypes[] = {
    {bool_, "BOOL"},    {uint8, "U8"},    {uint16, "U16"},  {uint32, "U32"},    {uint64, "U64"},
    {int8, "I8"},       {int16, "I16"},   {int32, "I32"},   {int64, "I64"},     {float16, "F16"},
    {bfloat16, "BF16"}, {float32, "F32"}, {float64, "F64"}, {complex64, "C64"},
};

const char* type_name(Dtype dtype) {
  for (const TypeName& each : kTypes) {
    if (each.dtype == dtype) return each.name;
  }
  return "F32";
}

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw std::runtime_error(fmt::format("[load_safetensors] {}: {}", file, what));
}

struct Parsed {
  Json header;
  std::span<const std::byte> data;
};

Parsed parse(const std::string& file, std::span<const std::byte> bytes) {
  uint64_t length = 0;
  if (bytes.size() < sizeof length) refuse(file, "the file is too short for a header.");
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - sizeof length) {
    refuse(file,
           fmt::format("the header says it has {} bytes, which is more than the file.", length));
  }
  const auto* text = reinterpret_cast<const char*>(bytes.data()) + sizeof length;
  Json header = Json::parse(text, text + length, nullptr, false);
  if (!header.is_object()) refuse(file, "the header is not a JSON object.");
  return {std::move(header), bytes.subspan(sizeof length + length)};
}

array read_array(const std::string& file, const std::string& name, const Json& entry,
                 std::span<const std::byte> data) {
  auto bad = [&](const char* what) { refuse(file, fmt::format("array '{}' {}", name, what)); };
  if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string() ||
      !entry.contains("shape") || !entry["shape"].is_array() || !entry.contains("data_offsets") ||
      !entry["data_offsets"].is_array() || entry["data_offsets"].size() != 2) {
    bad("needs dtype, shape and data_offsets.");
  }
  const std::string written = entry["dtype"].get<std::string>();
  const TypeName* type = nullptr;
  for (const TypeName& each : kTypes) {
    if (written == each.name) type = &each;
  }
  if (!type) bad("has a dtype that arrays do not have.");
  Shape shape;
  uint64_t bytes = type->dtype.size();
  for (const Json& length : entry["shape"]) {
    if (!length.is_number_unsigned() || length.get<uint64_t>() > INT32_MAX) {
      bad("has a shape that is not made of lengths.");
    }
    shape.push_back(length.get<ShapeElem>());
    if (__builtin_mul_overflow(bytes, length.get<uint64_t>(), &bytes)) bad("is too large.");
  }
  const Json& offsets = entry["data_offsets"];
  if (!offsets[0].is_number_unsigned() || !offsets[1].is_number_unsigned()) {
    bad("has offsets that are not numbers.");
  }
  const auto first = offsets[0].get<uint64_t>(), last = offsets[1].get<uint64_t>();
  if (first > last || last > data.size() || last - first != bytes) {
    bad("has offsets that do not fit its shape or the file.");
  }
  return array(const_cast<std::byte*>(data.data() + first), std::move(shape), type->dtype,
               std::function<void(void*)>());
}

}  // namespace

SafetensorsLoad load_safetensors(const std::string& file, StreamOrDevice /*s*/) {
  const std::optional<std::string> bytes = base::read_file(file);
  if (!bytes) refuse(file, "the file cannot be read.");
  const Parsed parsed = parse(file, std::as_bytes(std::span(*bytes)));
  SafetensorsLoad loaded;
  for (const auto& [name, entry] : parsed.header.items()) {
    if (name == "__metadata__") {
      if (!entry.is_object()) refuse(file, "__metadata__ is not an object.");
      for (const auto& [key, value] : entry.items()) {
        loaded.second[key] = value.is_string() ? value.get<std::string>() : value.dump();
      }
      continue;
    }
    loaded.first.emplace(name, read_array(file, name, entry, parsed.data));
  }
  return loaded;
}

void save_safetensors(std::string file, std::unordered_map<std::string, array> arrays,
                      std::unordered_map<std::string, std::string> metadata) {
  if (!file.ends_with(".safetensors")) file += ".safetensors";
  Json header = Json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  // In the order of names, so that equal arrays make equal files.
  std::map<std::string, array> ordered;
  uint64_t offset = 0;
  for (auto& [name, value] : arrays) {
    array rows = contiguous(value, false, Device(Device::cpu));
    rows.eval();
    ordered.emplace(name, std::move(rows));
  }
  for (const auto& [name, value] : ordered) {
    header[name] = {{"dtype", type_name(value.dtype())},
                    {"shape", value.shape()},
                    {"data_offsets", {offset, offset + value.nbytes()}}};
    offset += value.nbytes();
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const uint64_t length = text.size();
  std::vector<std::span<const std::byte>> parts{std::as_bytes(std::span(&length, 1)),
                                                std::as_bytes(std::span(text))};
  for (const auto& [name, value] : ordered) {
    parts.emplace_back(value.data<std::byte>(), value.nbytes());
  }
  if (const Result<void> written = base::write_file(file, parts); !written) {
    throw std::runtime_error(
        fmt::format("[save_safetensors] {}: {}", file, written.error().message));
  }
}

}  // namespace assay
