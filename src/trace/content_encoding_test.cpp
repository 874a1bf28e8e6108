#include "trace/content_encoding.h"

#include <gtest/gtest.h>

#include "trace/testing/sample_trace.h"

namespace assay::trace {
namespace {

using testing::random_bytes;
using Bytes = std::vector<std::byte>;

constexpr int64_t kMax = 1 << 20;

Result<Bytes> decode(Encoding encoding, const Bytes& data, int64_t size, int64_t max = kMax) {
  return decode_content(static_cast<int64_t>(encoding), data, size, max);
}

void expect_round_trip(const Bytes& bytes, Encoding expected) {
  const EncodedContent encoded = encode_content(bytes);
  EXPECT_EQ(encoded.encoding, expected) << bytes.size() << " bytes";
  const auto decoded = decode(encoded.encoding, encoded.data, static_cast<int64_t>(bytes.size()));
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(*decoded, bytes);
}

TEST(ContentEncoding, takes_the_smallest_form) {
  expect_round_trip({}, Encoding::kPlain);
  expect_round_trip({std::byte{9}}, Encoding::kFill);
  expect_round_trip(Bytes(65'537, std::byte{0}), Encoding::kFill);
  expect_round_trip(random_bytes(1, 1), Encoding::kFill);
  expect_round_trip(random_bytes(3, 1), Encoding::kPlain);
  expect_round_trip(random_bytes(10'007, 2), Encoding::kPlain);
  Bytes repeated;
  for (int i = 0; i < 1001; ++i) repeated.push_back(static_cast<std::byte>(i % 7));
  expect_round_trip(repeated, Encoding::kZstd);
}

TEST(ContentEncoding, refuses_what_does_not_give_the_size) {
  const Bytes bytes = random_bytes(100, 3);
  EXPECT_FALSE(decode(Encoding::kPlain, bytes, 99));
  EXPECT_FALSE(decode(Encoding::kPlain, bytes, 101));
  EXPECT_FALSE(decode(Encoding::kFill, bytes, 100));
  EXPECT_FALSE(decode(Encoding::kFill, {}, 100));
  EXPECT_FALSE(decode(Encoding::kZstd, bytes, 100));
  EXPECT_FALSE(decode(Encoding::kZstd, {}, 0));
  EXPECT_FALSE(decode_content(3, bytes, 100, kMax));
  EXPECT_FALSE(decode_content(-1, bytes, 100, kMax));
  EXPECT_FALSE(decode(Encoding::kPlain, {}, -1));
}

TEST(ContentEncoding, refuses_more_than_the_caller_takes) {
  EXPECT_TRUE(decode(Encoding::kFill, {std::byte{1}}, 100, 100));
  EXPECT_FALSE(decode(Encoding::kFill, {std::byte{1}}, 101, 100));
  EXPECT_FALSE(decode(Encoding::kFill, {std::byte{1}}, INT64_MAX, kMax));
}

TEST(ContentEncoding, refuses_damaged_frames) {
  Bytes text;
  for (int i = 0; i < 5000; ++i) text.push_back(static_cast<std::byte>(i % 97));
  const EncodedContent good = encode_content(text);
  ASSERT_EQ(good.encoding, Encoding::kZstd);
  for (size_t cut = 0; cut < good.data.size(); ++cut) {
    const Bytes part(good.data.begin(), good.data.begin() + static_cast<std::ptrdiff_t>(cut));
    EXPECT_FALSE(decode(Encoding::kZstd, part, 5000)) << cut;
  }
  // Two frames give twice the bytes.
  Bytes twice = good.data;
  twice.insert(twice.end(), good.data.begin(), good.data.end());
  EXPECT_FALSE(decode(Encoding::kZstd, twice, 5000));
}

// A frame that claims terabytes must cost neither memory nor time.
TEST(ContentEncoding, allocates_nothing_for_a_frame_that_lies) {
  // Magic number, single segment with 8 bytes of content size, then nothing.
  const uint8_t header[] = {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 0x10, 0, 0};
  const auto bytes = std::as_bytes(std::span(header));
  const Bytes frame(bytes.begin(), bytes.end());
  EXPECT_FALSE(decode(Encoding::kZstd, frame, int64_t{1} << 44, INT64_MAX));
}

}  // namespace
}  // namespace assay::trace
