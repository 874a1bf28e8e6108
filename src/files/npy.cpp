// Arrays in .npy files.
#include <stdexcept>

#include "assay/io.h"
#include "assay/ops.h"
#include "base/npy_file.h"
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
  }
  return float32;
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

array load(std::string file, StreamOrDevice /*s*/) {
  const Result<base::NpyArray> loaded = base::load_npy(file);
  if (!loaded) throw std::runtime_error("[load] " + loaded.error().message);
  Shape shape;
  for (const uint64_t length : loaded->shape) {
    if (length > INT32_MAX) {
      throw std::runtime_error(
          fmt::format("[load] {}: an axis of {} elements is too long.", file, length));
    }
    shape.push_back(static_cast<ShapeElem>(length));
  }
  // The constructor copies before it returns.
  return array(const_cast<std::byte*>(loaded->data.data()), std::move(shape),
               dtype_of(loaded->type), std::function<void(void*)>());
}

}  // namespace assay
