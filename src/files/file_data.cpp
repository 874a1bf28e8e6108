// See file_data.h.
#include "files/file_data.h"

#include <stdexcept>

#include "array/primitive.h"
#include "fmt/format.h"

namespace assay {
namespace {

[[noreturn]] void refuse(const char* call, const base::OpenFile& file, const std::string& what) {
  throw std::runtime_error(fmt::format("[{}] {}: {}", call, file.path(), what));
}

// Complex numbers are two of half their size.
void swap_bytes(std::span<std::byte> data, Dtype dtype) {
  const size_t width = dtype == complex64 ? dtype.size() / 2 : dtype.size();
  for (size_t at = 0; at < data.size(); at += width) {
    std::reverse(data.begin() + static_cast<std::ptrdiff_t>(at),
                 data.begin() + static_cast<std::ptrdiff_t>(at + width));
  }
}

class Load final : public Primitive {
 public:
  explicit Load(FilePlace place) : place_(std::move(place)) {}
  std::string_view name() const override { return "load"; }
  // Reads at once: the memory is new, nobody's commands use it yet.
  void encode(std::span<const array> /*inputs*/, std::span<array> outputs,
              Encoder& encoder) const override {
    array& output = outputs[0];
    encoder.allocate(output);
    const Node& node = output.node();
    const std::span<std::byte> target(node.storage->buffer->data(), output.nbytes());
    const Result<uint64_t> got = place_.file->read(place_.offset, target);
    if (!got) refuse("load", *place_.file, "cannot read the file: " + got.error().message);
    if (*got != target.size()) {
      refuse("load", *place_.file,
             fmt::format("the file is truncated: the array needs {} bytes, but {} are there; save "
                         "it again",
                         target.size(), *got));
    }
    if (place_.is_big_endian) swap_bytes(target, output.dtype());
  }

 private:
  const FilePlace place_;
};

}  // namespace

std::shared_ptr<const base::OpenFile> open_file(const std::string& path, const char* call) {
  Result<base::OpenFile> file = base::OpenFile::create(path);
  if (!file) {
    throw std::runtime_error(
        fmt::format("[{}] {}: cannot open the file: {}", call, path, file.error().message));
  }
  return std::make_shared<const base::OpenFile>(std::move(*file));
}

std::vector<std::byte> read_start(const base::OpenFile& file, uint64_t most, const char* call) {
  const Result<uint64_t> size = file.size();
  if (!size) refuse(call, file, "cannot read the file: " + size.error().message);
  std::vector<std::byte> bytes(std::min(*size, most));
  const Result<uint64_t> got = file.read(0, bytes);
  if (!got) refuse(call, file, "cannot read the file: " + got.error().message);
  bytes.resize(*got);
  return bytes;
}

array make_file_array(Shape shape, Dtype dtype, FilePlace place, const StreamOrDevice& where) {
  return make_array(std::move(shape), dtype, std::make_shared<Load>(std::move(place)), {},
                    StreamOrDevice(to_stream(where, Device(Device::cpu)), where.site()));
}

}  // namespace assay
