// Arrays in safetensors files: eight bytes of header length, a JSON header, then the data.
#include <bit>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "assay/io.h"
#include "assay/ops.h"
#include "base/file_bytes.h"
#include "files/file_data.h"
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

constexpr const char* kCall = "load_safetensors";

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw std::runtime_error(fmt::format("[{}] {}: {}", kCall, file, what));
}

// Numbers of 8 bits that arrays have no type for come as they are, as in MLX.
constexpr TypeName kTypesToRead[] = {{uint8, "F8_E4M3"}, {uint8, "F8_E8M0"}};

std::optional<Dtype> find_type(std::string_view name) {
  for (const std::span<const TypeName> table :
       {std::span<const TypeName>(kTypes), std::span<const TypeName>(kTypesToRead)}) {
    for (const TypeName& each : table) {
      if (name == each.name) return each.dtype;
    }
  }
  return std::nullopt;
}

struct Parsed {
  Json header;
  // Of the data, in the file.
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

Parsed parse(const base::OpenFile& file) {
  uint64_t length = 0;
  const Result<uint64_t> size = file.size();
  if (!size) refuse(file.path(), size.error().message);
  std::vector<std::byte> bytes = read_start(file, sizeof length, kCall);
  if (bytes.size() < sizeof length) refuse(file.path(), "the file is too short for a header.");
  std::memcpy(&length, bytes.data(), sizeof length);
  if (*size < sizeof length || length > *size - sizeof length) {
    refuse(file.path(),
           fmt::format("the header says it has {} bytes, which is more than the file.", length));
  }
  const uint64_t start = sizeof length + length;
  bytes = read_start(file, start, kCall);
  if (bytes.size() != start) refuse(file.path(), "the file ends inside its header.");
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  Json header = Json::parse(text + sizeof length, text + start, nullptr, false);
  if (!header.is_object()) refuse(file.path(), "the header is not a JSON object.");
  return {std::move(header), start, *size - start};
}

// Where an array lies behind the header, and what it is.
struct Entry {
  Dtype dtype;
  Shape shape;
  uint64_t offset = 0;
};

Entry read_entry(const std::string& file, const std::string& name, const Json& entry,
                 uint64_t data_bytes) {
  auto bad = [&](const char* what) { refuse(file, fmt::format("array '{}' {}", name, what)); };
  if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string() ||
      !entry.contains("shape") || !entry["shape"].is_array() || !entry.contains("data_offsets") ||
      !entry["data_offsets"].is_array() || entry["data_offsets"].size() != 2) {
    bad("needs dtype, shape and data_offsets.");
  }
  const std::optional<Dtype> type = find_type(entry["dtype"].get<std::string>());
  if (!type) bad("has a dtype that arrays do not have.");
  Shape shape;
  uint64_t bytes = type->size();
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
  if (first > last || last > data_bytes || last - first != bytes) {
    bad("has offsets that do not fit its shape or the file.");
  }
  return {*type, std::move(shape), first};
}

}  // namespace

SafetensorsLoad load_safetensors(const std::string& path, StreamOrDevice s) {
  const std::shared_ptr<const base::OpenFile> file = open_file(path, kCall);
  const Parsed parsed = parse(*file);
  SafetensorsLoad loaded;
  for (const auto& [name, entry] : parsed.header.items()) {
    if (name == "__metadata__") {
      if (!entry.is_object()) refuse(path, "__metadata__ is not an object.");
      for (const auto& [key, value] : entry.items()) {
        loaded.second[key] = value.is_string() ? value.get<std::string>() : value.dump();
      }
      continue;
    }
    Entry found = read_entry(path, name, entry, parsed.bytes);
    FilePlace place{.file = file, .offset = parsed.offset + found.offset};
    loaded.first.emplace(name,
                         make_file_array(std::move(found.shape), found.dtype, std::move(place), s));
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
