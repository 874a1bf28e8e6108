// See content_encoding.h.
#include "trace/content_encoding.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>

namespace assay::trace {
namespace {

// Faster than a disk writes.
constexpr int kLevel = 1;

}  // namespace

EncodedContent encode_content(std::span<const std::byte> bytes) {
  const bool is_fill = !bytes.empty() &&
                       std::ranges::all_of(bytes, [&](std::byte each) { return each == bytes[0]; });
  if (is_fill) return {Encoding::kFill, {bytes[0]}};
  EncodedContent packed{Encoding::kZstd, {}};
  packed.data.resize(ZSTD_compressBound(bytes.size()));
  const size_t size =
      ZSTD_compress(packed.data.data(), packed.data.size(), bytes.data(), bytes.size(), kLevel);
  if (ZSTD_isError(size) || size >= bytes.size()) {
    return {Encoding::kPlain, {bytes.begin(), bytes.end()}};
  }
  packed.data.resize(size);
  return packed;
}

Result<std::vector<std::byte>> decode_content(int64_t encoding, std::span<const std::byte> data,
                                              int64_t size, int64_t max_size) {
  if (size < 0 || size > max_size) {
    return Error{fmt::format("content of {} bytes, more than {}", size, max_size)};
  }
  const auto bytes = static_cast<size_t>(size);
  switch (encoding) {
    case static_cast<int64_t>(Encoding::kPlain):
      if (data.size() != bytes) break;
      return std::vector<std::byte>(data.begin(), data.end());
    case static_cast<int64_t>(Encoding::kFill):
      if (data.size() != 1) break;
      return std::vector<std::byte>(bytes, data[0]);
    case static_cast<int64_t>(Encoding::kZstd): {
      // The frame says its size: nothing is allocated for one that lies.
      if (ZSTD_getFrameContentSize(data.data(), data.size()) != bytes) break;
      // Nor for more than zstd can ever make of it: 128 KiB of a block of 4 bytes.
      if (bytes / 32'768 > data.size()) break;
      std::vector<std::byte> out(bytes);
      if (ZSTD_decompress(out.data(), bytes, data.data(), data.size()) != bytes) break;
      return out;
    }
    default: return Error{fmt::format("content with unknown encoding {}", encoding)};
  }
  return Error{fmt::format("content that does not give its {} bytes", size)};
}

}  // namespace assay::trace
