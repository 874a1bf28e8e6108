// NumPy's .npy files: reading and writing arrays of the dtypes that kernels use, in C order and
// little-endian. Format versions 1 to 3 are read; files are written as version 1. NumPy has no
// bfloat16: its elements are pieces of two bytes there, as in files that MLX writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay::base {

enum class NpyType : uint8_t {
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kFloat16,
  kFloat32,
  kFloat64,
  kComplex64,
  kBfloat16,
};

// NumPy's name ("float32"), its code in the file ("<f4") and the size of one element.
struct NpyTypeInfo {
  NpyType type = NpyType::kFloat32;
  std::string_view name;
  std::string_view code;
  uint64_t bytes = 0;
};
// Those that NumPy has.
std::span<const NpyTypeInfo> npy_types();
const NpyTypeInfo& npy_type_info(NpyType type);
std::optional<NpyType> find_npy_type(std::string_view name);

struct NpyArray {
  NpyType type = NpyType::kFloat32;
  std::vector<uint64_t> shape;  // empty for a single value
  std::vector<std::byte> data;  // C order, as many bytes as the shape needs
};

// Bytes of an array, or nothing when they do not fit 63 bits.
std::optional<uint64_t> npy_data_bytes(NpyType type, std::span<const uint64_t> shape);

// "(3, 4)", "(5,)" or "()", as NumPy writes shapes.
std::string npy_shape_text(std::span<const uint64_t> shape);

// What a file says about its array, and where the data begins. Whoever reads the data decides about
// the order of axes and bytes.
struct NpyHeader {
  NpyType type = NpyType::kFloat32;
  std::vector<uint64_t> shape;
  uint64_t data_offset = 0;
  bool is_fortran_order = false;
  bool is_big_endian = false;
};
// From the first bytes of a file; as many as npy_max_header_bytes() are always enough.
Result<NpyHeader> parse_npy_header(std::span<const std::byte> start, std::string_view name);
uint64_t npy_max_header_bytes();

// `name` is the file's name for messages. Bytes behind the array are ignored, as NumPy does.
Result<NpyArray> parse_npy(std::span<const std::byte> file, std::string_view name);
Result<NpyArray> load_npy(const std::filesystem::path& path);

// The bytes in front of the data, a multiple of 64 long.
std::string npy_header(NpyType type, std::span<const uint64_t> shape);
// `data` must have the bytes that type and shape need. The file appears whole or not at all: it is
// written beside its place and then renamed.
Result<void> save_npy(const std::filesystem::path& path, NpyType type,
                      std::span<const uint64_t> shape, std::span<const std::byte> data);

}  // namespace assay::base
