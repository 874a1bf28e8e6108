// A 128-bit content hash that is the same on every machine and in every version: keys of caches and
// names of stored bytes. Not for secrets: somebody who wants to can construct collisions.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace assay::base {

struct Hash128 {
  uint64_t low = 0;
  uint64_t high = 0;

  auto operator<=>(const Hash128&) const = default;
  // 32 lower-case hexadecimal digits, high word first.
  std::string hex() const;
};

// Hashes a sequence of fields. Each add() is one field with its length, so ("ab", "c") and
// ("a", "bc") differ; the order matters.
class Hasher {
 public:
  Hasher& add(std::span<const std::byte> bytes);
  Hasher& add(std::string_view text);
  Hasher& add(uint64_t number);
  Hasher& add(const Hash128& hash);

  // Bytes without a field boundary, for content that arrives in pieces.
  Hasher& append(std::span<const std::byte> bytes);

  // The hash of everything so far; adding may go on afterwards.
  Hash128 finish() const;

 private:
  static constexpr size_t kBlockBytes = 32;

  struct Lanes {
    uint64_t a = 0x243f6a8885a308d3, b = 0x13198a2e03707344;  // digits of pi
  };

  static void mix_block(Lanes& lanes, const std::byte* block);

  Lanes lanes_;
  std::array<std::byte, kBlockBytes> pending_{};
  uint64_t total_bytes_ = 0;
};

// The hash of one piece of content.
Hash128 hash_content(std::span<const std::byte> bytes);

}  // namespace assay::base

template <>
struct std::hash<assay::base::Hash128> {
  size_t operator()(const assay::base::Hash128& hash) const noexcept { return hash.low; }
};
