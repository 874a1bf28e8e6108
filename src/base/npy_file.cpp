// The header of an .npy file is a Python dict literal; only the three keys NumPy writes are known.
#include "base/npy_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <system_error>

#include "base/ensure.h"
#include "base/file_bytes.h"

namespace assay::base {
namespace {

static_assert(std::endian::native == std::endian::little,
              "files are little-endian, as the host is");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kVersionBytes = 2;
constexpr size_t kMaxHeaderBytes = size_t{1} << 20;
constexpr size_t kMaxDimensions = 64;  // NumPy 2's own limit

constexpr NpyTypeInfo kTypes[] = {
    {NpyType::kBool, "bool", "|b1", 1},           {NpyType::kInt8, "int8", "|i1", 1},
    {NpyType::kInt16, "int16", "<i2", 2},         {NpyType::kInt32, "int32", "<i4", 4},
    {NpyType::kInt64, "int64", "<i8", 8},         {NpyType::kUint8, "uint8", "|u1", 1},
    {NpyType::kUint16, "uint16", "<u2", 2},       {NpyType::kUint32, "uint32", "<u4", 4},
    {NpyType::kUint64, "uint64", "<u8", 8},       {NpyType::kFloat16, "float16", "<f2", 2},
    {NpyType::kFloat32, "float32", "<f4", 4},     {NpyType::kFloat64, "float64", "<f8", 8},
    {NpyType::kComplex64, "complex64", "<c8", 8}, {NpyType::kBfloat16, "bfloat16", "<V2", 2},
};

struct Header {
  std::string code;
  bool is_fortran_order = false;
  std::vector<uint64_t> shape;
};

// Reads the dict literal. Every function returns false at the first thing it does not understand.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : rest_(text) {}

  bool read(Header& header) {
    bool has_code = false, has_order = false, has_shape = false;
    if (!take('{')) return false;
    while (!take('}')) {
      std::string key;
      if (!read_string(key) || !take(':')) return false;
      if (key == "descr") {
        has_code = read_code(header.code);
        if (!has_code) return false;
      } else if (key == "fortran_order") {
        has_order = read_bool(header.is_fortran_order);
        if (!has_order) return false;
      } else if (key == "shape") {
        has_shape = read_shape(header.shape);
        if (!has_shape) return false;
      } else {
        return false;
      }
      if (!take(',') && !next_is('}')) return false;
    }
    skip_space();
    return has_code && has_order && has_shape && rest_.empty();
  }

 private:
  void skip_space() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) rest_.remove_prefix(1);
  }
  bool next_is(char wanted) {
    skip_space();
    return !rest_.empty() && rest_[0] == wanted;
  }
  bool take(char wanted) {
    if (!next_is(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take(std::string_view word) {
    skip_space();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool read_string(std::string& value) {
    skip_space();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return false;
    const size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) return false;
    value = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return true;
  }
  // A list stands for a record type; its text up to the closing bracket is kept for the message.
  bool read_code(std::string& code) {
    if (!next_is('[')) return read_string(code);
    const size_t end = rest_.rfind(']');
    if (end == std::string_view::npos) return false;
    code = rest_.substr(0, end + 1);
    rest_.remove_prefix(end + 1);
    return true;
  }
  bool read_bool(bool& value) {
    value = take("True");
    return value || take("False");
  }
  bool read_shape(std::vector<uint64_t>& shape) {
    if (!take('(')) return false;
    while (!take(')')) {
      uint64_t size = 0;
      skip_space();
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (error != std::errc() || shape.size() == kMaxDimensions) return false;
      rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
      shape.push_back(size);
      // Python 2 wrote long integers as "3L".
      if (!rest_.empty() && rest_[0] == 'L') rest_.remove_prefix(1);
      if (!take(',') && !next_is(')')) return false;
    }
    return true;
  }

  std::string_view rest_;
};

Error npy_error(std::string_view name, std::string_view text) {
  return Error{fmt::format("[npy] {}: {}", name, text)};
}

std::string readable_codes() {
  std::vector<std::string_view> names;
  for (const NpyTypeInfo& info : npy_types()) names.push_back(info.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

struct TypeOfCode {
  NpyType type;
  bool is_big_endian;
};

Result<TypeOfCode> type_of_code(const std::string& code, std::string_view name) {
  for (const NpyTypeInfo& info : kTypes) {
    if (code == info.code) return TypeOfCode{info.type, false};
    // One byte has no order, and "=" is what this machine uses.
    const bool is_same_type = code.size() == 3 && code.substr(1) == info.code.substr(1);
    if (!is_same_type) continue;
    // NumPy writes pieces of bytes without an order.
    const bool has_no_order = info.bytes == 1 || (code[0] == '|' && code[1] == 'V');
    if (code[0] == '=' || code[0] == '<' || has_no_order) return TypeOfCode{info.type, false};
    if (code[0] == '>') return TypeOfCode{info.type, true};
  }
  constexpr size_t kShown = 40;
  const std::string shown = code.size() > kShown ? code.substr(0, kShown) + "…" : code;
  return npy_error(name, fmt::format("dtype '{}' is not supported; convert the array with "
                                     "x.astype(…) to one of: {}",
                                     shown, readable_codes()));
}

// The header's text, with the position of the data behind it.
struct HeaderText {
  std::string_view text;
  size_t data_offset = 0;
};

Result<HeaderText> find_header(std::span<const std::byte> file, std::string_view name) {
  const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
  if (!bytes.starts_with(kMagic)) {
    return npy_error(name, "this is not an .npy file; write it with numpy.save(file, array)");
  }
  const Error truncated = npy_error(
      name, fmt::format("the file ends inside its header after {} bytes; save the array again",
                        file.size()));
  size_t position = kMagic.size();
  if (bytes.size() < position + kVersionBytes) return truncated;
  const auto major = static_cast<uint8_t>(bytes[position]);
  position += kVersionBytes;
  if (major < 1 || major > 3) {
    return npy_error(name, fmt::format("version {} of the file format is not known; save the array "
                                       "with numpy.save, which writes version 1 to 3",
                                       major));
  }
  const size_t length_bytes = major == 1 ? 2 : 4;
  if (bytes.size() < position + length_bytes) return truncated;
  uint32_t length = 0;
  std::memcpy(&length, bytes.data() + position, length_bytes);
  position += length_bytes;
  if (length > kMaxHeaderBytes) {
    return npy_error(name,
                     fmt::format("the header claims {} bytes, more than the {} that are read; "
                                 "the file is damaged, save the array again",
                                 length, kMaxHeaderBytes));
  }
  if (bytes.size() - position < length) return truncated;
  return HeaderText{bytes.substr(position, length), position + length};
}

// Where a file that can be taken as it is has its data; all of it lies inside the file.
struct Layout {
  NpyHeader header;
  uint64_t data_bytes = 0;
};

Result<Layout> find_layout(std::span<const std::byte> file, std::string_view name) {
  Result<NpyHeader> header = parse_npy_header(file, name);
  if (!header) return header.error();
  const NpyTypeInfo& type = npy_type_info(header->type);
  if (header->is_big_endian) {
    return npy_error(name, fmt::format("the data is big-endian ('>{}'); save it with "
                                       "x.astype('{}')",
                                       type.code.substr(1), type.code));
  }
  if (header->is_fortran_order) {
    return npy_error(name, "the data is in Fortran order; save it with numpy.ascontiguousarray(x)");
  }
  const std::optional<uint64_t> bytes = npy_data_bytes(header->type, header->shape);
  const uint64_t available = file.size() - header->data_offset;
  if (!bytes || *bytes > available) {
    return npy_error(
        name, fmt::format("the file is truncated: shape {} of {} needs {} bytes, but {} are there; "
                          "save the array again",
                          npy_shape_text(header->shape), type.name,
                          bytes ? fmt::format("{}", *bytes) : "more than 2^63", available));
  }
  return Layout{std::move(*header), *bytes};
}

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

std::string system_text(int code) { return std::generic_category().message(code); }

Result<std::vector<std::byte>> read_file(const std::filesystem::path& path) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) {
    return npy_error(path.string(), "this is a folder; give an .npy file");
  }
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    return npy_error(path.string(), fmt::format("cannot open the file: {}", system_text(errno)));
  }
  std::vector<std::byte> bytes;
  const uintmax_t size = std::filesystem::file_size(path, failed);
  size_t chunk = failed ? size_t{1} << 16 : static_cast<size_t>(size) + 1;
  size_t used = 0;
  // Pipes have no size: goes on until the end, whatever was announced.
  while (true) {
    bytes.resize(used + chunk);
    const size_t got = std::fread(bytes.data() + used, 1, chunk, file.get());
    used += got;
    if (got < chunk) break;
    chunk = std::max<size_t>(size_t{1} << 16, used);
  }
  if (std::ferror(file.get()) != 0) {
    return npy_error(path.string(), fmt::format("cannot read the file: {}", system_text(errno)));
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace

std::span<const NpyTypeInfo> npy_types() {
  return std::span(kTypes).first(static_cast<size_t>(NpyType::kBfloat16));
}

const NpyTypeInfo& npy_type_info(NpyType type) {
  const NpyTypeInfo& info = kTypes[static_cast<size_t>(type)];
  ASSAY_ENSURE(info.type == type, "the table of .npy types is not in the order of its enum");
  return info;
}

std::optional<NpyType> find_npy_type(std::string_view name) {
  for (const NpyTypeInfo& info : kTypes) {
    if (info.name == name) return info.type;
  }
  return std::nullopt;
}

std::optional<uint64_t> npy_data_bytes(NpyType type, std::span<const uint64_t> shape) {
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  // A zero anywhere makes the array empty, however large the other sizes are.
  if (std::ranges::find(shape, 0u) != shape.end()) return 0;
  uint64_t bytes = npy_type_info(type).bytes;
  for (const uint64_t size : shape) {
    if (bytes > kMax / size) return std::nullopt;
    bytes *= size;
  }
  return bytes;
}

std::string npy_shape_text(std::span<const uint64_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

uint64_t npy_max_header_bytes() {
  constexpr size_t kLengthBytes = 4;
  return kMagic.size() + kVersionBytes + kLengthBytes + kMaxHeaderBytes;
}

Result<NpyHeader> parse_npy_header(std::span<const std::byte> start, std::string_view name) {
  const Result<HeaderText> found = find_header(start, name);
  if (!found) return found.error();
  Header header;
  if (!HeaderReader(found->text).read(header)) {
    return npy_error(name, "the header is damaged; save the array again with numpy.save");
  }
  const Result<TypeOfCode> type = type_of_code(header.code, name);
  if (!type) return type.error();
  // With one axis or none both orders are the same.
  const bool is_fortran_order = header.is_fortran_order && header.shape.size() > 1;
  return NpyHeader{type->type, std::move(header.shape), found->data_offset, is_fortran_order,
                   type->is_big_endian};
}

Result<NpyArray> parse_npy(std::span<const std::byte> file, std::string_view name) {
  Result<Layout> layout = find_layout(file, name);
  if (!layout) return layout.error();
  NpyHeader& header = layout->header;
  const std::span<const std::byte> data = file.subspan(header.data_offset, layout->data_bytes);
  return NpyArray{header.type, std::move(header.shape), {data.begin(), data.end()}};
}

Result<NpyArray> load_npy(const std::filesystem::path& path) {
  Result<std::vector<std::byte>> bytes = read_file(path);
  if (!bytes) return bytes.error();
  Result<Layout> layout = find_layout(*bytes, path.string());
  if (!layout) return layout.error();
  // In place: arrays may fill most of the memory, a copy would not fit.
  NpyHeader& header = layout->header;
  bytes->erase(bytes->begin(), bytes->begin() + static_cast<std::ptrdiff_t>(header.data_offset));
  bytes->resize(layout->data_bytes);
  return NpyArray{header.type, std::move(header.shape), std::move(*bytes)};
}

std::string npy_header(NpyType type, std::span<const uint64_t> shape) {
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                 npy_type_info(type).code, npy_shape_text(shape));
  constexpr size_t kAlignment = 64;
  constexpr size_t kFixedBytes = 10;  // magic, version and length
  const size_t used = kFixedBytes + dict.size() + 1;
  dict.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  dict += '\n';
  ASSAY_ENSURE(dict.size() <= std::numeric_limits<uint16_t>::max(), "the array has too many sizes");

  std::string header(kMagic);
  header += '\1';
  header += '\0';
  header += static_cast<char>(dict.size() & 0xff);
  header += static_cast<char>(dict.size() >> 8);
  return header + dict;
}

Result<void> save_npy(const std::filesystem::path& path, NpyType type,
                      std::span<const uint64_t> shape, std::span<const std::byte> data) {
  ASSAY_ENSURE(npy_data_bytes(type, shape) == data.size(),
               "an array's data does not fit its shape");
  const std::string header = npy_header(type, shape);
  const std::span<const std::byte> parts[] = {std::as_bytes(std::span(header)), data};
  if (const Result<void> written = write_file(path, parts); !written) {
    return npy_error(path.string(),
                     fmt::format("cannot write the file: {}", written.error().message));
  }
  return {};
}

}  // namespace assay::base
