// Two 64-bit lanes over 32-byte blocks. A step multiplies two keyed words to 128 bits and folds the
// halves together, which spreads every input bit over the word at one multiplication per 16 bytes.
#include "base/hash.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace assay::base {

static_assert(std::endian::native == std::endian::little, "words are read in memory order");

namespace {

// Further digits of pi; odd, so that multiplying by one loses nothing.
constexpr uint64_t kKey0 = 0xa4093822299f31d1;
constexpr uint64_t kKey1 = 0x082efa98ec4e6c89;
constexpr uint64_t kKey2 = 0x452821e638d01377;
constexpr uint64_t kKey3 = 0xbe5466cf34e90c6d;

uint64_t read_word(const std::byte* bytes) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

uint64_t fold_product(uint64_t x, uint64_t y) {
  const auto product = static_cast<unsigned __int128>(x) * y;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// A bijection that makes every output bit depend on every input bit.
uint64_t scramble(uint64_t x) {
  x ^= x >> 32;
  x *= kKey2;
  x ^= x >> 29;
  x *= kKey3;
  return x ^ (x >> 32);
}

}  // namespace

// Each lane also takes its words in unmultiplied: a factor that happens to be zero must not make
// the other word vanish.
void Hasher::mix_block(Lanes& lanes, const std::byte* block) {
  const uint64_t w0 = read_word(block);
  const uint64_t w1 = read_word(block + 8);
  const uint64_t w2 = read_word(block + 16);
  const uint64_t w3 = read_word(block + 24);
  const uint64_t a = fold_product(w0 ^ lanes.a, w1 ^ kKey0) + std::rotl(w2, 23);
  const uint64_t b = fold_product(w2 ^ lanes.b, w3 ^ kKey1) + std::rotl(w0, 41);
  lanes.a = (std::rotl(lanes.a, 29) ^ a) + fold_product(w3 ^ kKey2, b ^ kKey3);
  lanes.b = (std::rotl(lanes.b, 31) ^ b) + fold_product(w1 ^ kKey3, a ^ kKey2);
}

Hasher& Hasher::append(std::span<const std::byte> bytes) {
  const size_t filled = total_bytes_ % kBlockBytes;
  total_bytes_ += bytes.size();
  if (filled > 0) {
    const size_t taken = std::min(kBlockBytes - filled, bytes.size());
    std::copy_n(bytes.begin(), taken, pending_.begin() + filled);
    bytes = bytes.subspan(taken);
    if (filled + taken < kBlockBytes) return *this;
    mix_block(lanes_, pending_.data());
  }
  while (bytes.size() >= kBlockBytes) {
    mix_block(lanes_, bytes.data());
    bytes = bytes.subspan(kBlockBytes);
  }
  std::copy(bytes.begin(), bytes.end(), pending_.begin());
  return *this;
}

Hasher& Hasher::add(std::span<const std::byte> bytes) { return add(bytes.size()).append(bytes); }

Hasher& Hasher::add(std::string_view text) { return add(std::as_bytes(std::span(text))); }

Hasher& Hasher::add(uint64_t number) { return append(std::as_bytes(std::span(&number, 1))); }

Hasher& Hasher::add(const Hash128& hash) { return add(hash.low).add(hash.high); }

Hash128 Hasher::finish() const {
  Lanes lanes = lanes_;
  const size_t filled = total_bytes_ % kBlockBytes;
  if (filled > 0) {
    std::array<std::byte, kBlockBytes> last{};
    std::copy_n(pending_.begin(), filled, last.begin());
    mix_block(lanes, last.data());
  }
  const uint64_t low = scramble(lanes.a ^ total_bytes_ ^ std::rotl(lanes.b, 17));
  const uint64_t high = scramble(lanes.b + low);
  return {.low = low, .high = high};
}

Hash128 hash_content(std::span<const std::byte> bytes) { return Hasher().append(bytes).finish(); }

std::string Hash128::hex() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (uint64_t word : {high, low}) {
    for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[(word >> shift) & 15];
  }
  return text;
}

}  // namespace assay::base
