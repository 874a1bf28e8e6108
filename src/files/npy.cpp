// Arrays in .npy files.
#include <algorithm>
#include <stdexcept>

#include "assay/io.h"
#include "assay/ops.h"
#include "base/npy_file.h"
#include "files/file_data.h"
#include "fmt/format.h"

namespace assay {
namespace {

using base::NpyType;

Dtype dtype_of(NpyType type) {
  switch (type) {
    case NpyType::kBool: return bool_;
    case NpyType::kInt8: return int8;
    case NpyType::kInt16: return int16;
    case NpyType::kInt32: return int32;
    case NpyType::kInt64: return int64;
    case NpyType::kUint8: return uint8;
    case NpyType::kUint16: return uint16;
    case NpyType::kUint32: return uint32;
    case NpyType::kUint64: return uint64;
    case NpyType::kFloat16: return float16;
    case NpyType::kFloat32: return float32;
    case NpyType::kFloat64: return float64;
    case NpyType::kComplex64: return complex64;
    case NpyType::kBfloat16: return bfloat16;
  }
  return float32;
}

// Headers are short; only those that are not need to be read whole.
Result<base::NpyHeader> load_header(const base::OpenFile& file) {
  constexpr uint64_t kMostlyEnough = 4096;
  const std::vector<std::byte> start = read_start(file, kMostlyEnough, "load");
  Result<base::NpyHeader> header = base::parse_npy_header(start, file.path());
  if (header || start.size() < kMostlyEnough) return header;
  return base::parse_npy_header(read_start(file, base::npy_max_header_bytes(), "load"),
                                file.path());
}

std::string with_extension(std::string file) {
  return file.ends_with(".npy") ? file : file + ".npy";
}

}  // namespace

void save(std::string file, array a) {
  a = contiguous(a, false, Device(Device::cpu));
  a.eval();
  const std::optional<NpyType> type = base::find_npy_type(dtype_name(a.dtype()));
  if (!type) {
    throw std::invalid_argument(fmt::format(
        "[save] .npy files have no dtype {}; convert with astype, or use save_safetensors.",
        dtype_name(a.dtype())));
  }
  const std::vector<uint64_t> shape(a.shape().begin(), a.shape().end());
  const std::span<const std::byte> bytes(a.data<std::byte>(), a.nbytes());
  const Result<void> saved = base::save_npy(with_extension(std::move(file)), *type, shape, bytes);
  if (!saved) throw std::runtime_error("[save] " + saved.error().message);
}

array load(std::string file, StreamOrDevice s) {
  const StreamOrDevice where(to_stream(s, Device(Device::cpu)), s.site());
  const std::shared_ptr<const base::OpenFile> opened = open_file(file, "load");
  const Result<base::NpyHeader> header = load_header(*opened);
  if (!header) throw std::runtime_error("[load] " + header.error().message);
  Shape shape;
  for (const uint64_t length : header->shape) {
    if (length > INT32_MAX) {
      throw std::runtime_error(
          fmt::format("[load] {}: an axis of {} elements is too long.", file, length));
    }
    shape.push_back(static_cast<ShapeElem>(length));
  }
  FilePlace place{opened, header->data_offset, header->is_big_endian};
  if (!header->is_fortran_order) {
    return make_file_array(std::move(shape), dtype_of(header->type), std::move(place), where);
  }
  std::reverse(shape.begin(), shape.end());
  return transpose(
      make_file_array(std::move(shape), dtype_of(header->type), std::move(place), where), where);
}

}  // namespace assay
