// How bytes lie in a document: as they are, compressed, or as one byte that fills them all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"

namespace assay::trace {

enum class Encoding : uint8_t { kPlain, kZstd, kFill };

struct EncodedContent {
  Encoding encoding = Encoding::kPlain;
  std::vector<std::byte> data;
};

// The smallest of the three.
EncodedContent encode_content(std::span<const std::byte> bytes);

// Trusts nothing: what does not give exactly `size` bytes, or is larger than allowed, is an error.
Result<std::vector<std::byte>> decode_content(int64_t encoding, std::span<const std::byte> data,
                                              int64_t size, int64_t max_size);

}  // namespace assay::trace
