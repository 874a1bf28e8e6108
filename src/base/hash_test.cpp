#include "base/hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace assay::base {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> pattern(size_t count) {
  std::vector<std::byte> bytes(count);
  for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 7 % 256);
  return bytes;
}

// Expected values come from a second implementation with unbounded integers, not from this code:
// stored caches and traces depend on them.
TEST(Hash, has_the_same_values_for_ever) {
  std::vector<std::byte> block(32);
  for (size_t i = 0; i < block.size(); ++i) block[i] = static_cast<std::byte>(i);
  EXPECT_EQ(hash_content({}).hex(), "17f5dc4bc88dda989b7025486a45f79b");
  EXPECT_EQ(hash_content(bytes_of("a")).hex(), "6b6b387893392329c35e3c5bf96a5982");
  EXPECT_EQ(hash_content(bytes_of("kernel void k() {}")).hex(), "48361e1170ba521309c4fc24e1b6595b");
  EXPECT_EQ(hash_content(block).hex(), "c6b10415e344b3e8710e04899a2947f9");
  EXPECT_EQ(hash_content(pattern(1001)).hex(), "09117f005c8404f19fe63256d9b8a8fc");
}

TEST(Hash, does_not_depend_on_how_content_is_cut) {
  const std::vector<std::byte> content = pattern(203);
  const Hash128 whole = hash_content(content);
  for (size_t piece : {1, 3, 31, 32, 33, 64, 100}) {
    Hasher hasher;
    for (size_t at = 0; at < content.size(); at += piece) {
      hasher.append(std::span(content).subspan(at, std::min(piece, content.size() - at)));
    }
    EXPECT_EQ(hasher.finish(), whole) << "pieces of " << piece;
  }
}

TEST(Hash, keeps_fields_apart) {
  EXPECT_NE(Hasher().add("ab").add("c").finish(), Hasher().add("a").add("bc").finish());
  EXPECT_NE(Hasher().add("a").add("b").finish(), Hasher().add("b").add("a").finish());
  EXPECT_NE(Hasher().add("").finish(), Hasher().finish());
  EXPECT_EQ(Hasher().add("a").add(uint64_t{5}).finish(),
            Hasher().add("a").add(uint64_t{5}).finish());
}

TEST(Hash, can_go_on_after_finish) {
  Hasher hasher;
  hasher.append(bytes_of("one"));
  EXPECT_EQ(hasher.finish(), hash_content(bytes_of("one")));
  hasher.append(bytes_of("two"));
  EXPECT_EQ(hasher.finish(), hash_content(bytes_of("onetwo")));
}

TEST(Hash, tells_zero_runs_of_different_length_apart) {
  std::set<Hash128> seen;
  for (size_t count = 0; count < 300; ++count) {
    seen.insert(hash_content(std::vector<std::byte>(count)));
  }
  EXPECT_EQ(seen.size(), 300u);
}

// Flipping any one input bit must flip each output bit about half of the time.
TEST(Hash, spreads_every_input_bit_over_all_output_bits) {
  std::vector<std::byte> content = pattern(77);
  std::vector<int> flips(128, 0);
  const Hash128 before = hash_content(content);
  const int input_bits = static_cast<int>(content.size()) * 8;
  for (int bit = 0; bit < input_bits; ++bit) {
    content[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    const Hash128 after = hash_content(content);
    content[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    const uint64_t low = before.low ^ after.low;
    const uint64_t high = before.high ^ after.high;
    EXPECT_GT(std::popcount(low) + std::popcount(high), 30) << "input bit " << bit;
    for (int out = 0; out < 64; ++out) {
      flips[out] += (low >> out) & 1;
      flips[out + 64] += (high >> out) & 1;
    }
  }
  for (int out = 0; out < 128; ++out) {
    EXPECT_NEAR(flips[out], input_bits * 0.5, input_bits * 0.125) << "output bit " << out;
  }
}

TEST(Hash, has_no_collisions_in_either_half_over_many_short_texts) {
  std::set<uint64_t> low;
  std::set<uint64_t> high;
  for (int i = 0; i < 100000; ++i) {
    const Hash128 hash = hash_content(bytes_of("kernel_" + std::to_string(i)));
    low.insert(hash.low);
    high.insert(hash.high);
  }
  EXPECT_EQ(low.size(), 100000u);
  EXPECT_EQ(high.size(), 100000u);
}

}  // namespace
}  // namespace assay::base
