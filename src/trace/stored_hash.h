// A content hash as the 16 bytes of a document, the same on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "base/hash.h"

namespace assay::trace {

using StoredHash = std::array<std::byte, 16>;

inline StoredHash store_hash(const base::Hash128& hash) {
  StoredHash stored;
  for (size_t i = 0; i < 8; ++i) {
    stored[i] = static_cast<std::byte>(hash.high >> (56 - 8 * i));
    stored[8 + i] = static_cast<std::byte>(hash.low >> (56 - 8 * i));
  }
  return stored;
}

// Nothing for bytes that are no hash.
inline std::optional<base::Hash128> load_hash(std::span<const std::byte> stored) {
  if (stored.size() != 16) return std::nullopt;
  base::Hash128 hash;
  for (size_t i = 0; i < 8; ++i) {
    hash.high = hash.high << 8 | static_cast<uint64_t>(stored[i]);
    hash.low = hash.low << 8 | static_cast<uint64_t>(stored[8 + i]);
  }
  return hash;
}

}  // namespace assay::trace
