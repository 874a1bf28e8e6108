#include "pipeline/cache_entry.h"

#include <gtest/gtest.h>

namespace assay::pipeline {
namespace {

constexpr EntryId kId{EntryKind::kKernel, {.low = 0x0123456789abcdef, .high = 0xfedcba9876543210}};

TEST(CacheEntry, gives_back_what_was_encoded) {
  const std::string payload("machine\0code", 12);
  for (const std::string_view title : {"", "axpy"}) {
    const std::string file = encode_entry(kId, title, payload);
    const auto entry = decode_entry(file, kId);
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->title, title);
    EXPECT_EQ(entry->payload, payload);
    EXPECT_EQ(peek_title(std::string_view(file).substr(0, kEntryHeadBytes)), title);
  }
}

TEST(CacheEntry, shortens_titles_that_are_too_long) {
  const std::string file = encode_entry(kId, std::string(5000, 'k'), "payload");
  const auto entry = decode_entry(file, kId);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->title.size(), 256u);
  EXPECT_EQ(entry->payload, "payload");
  EXPECT_EQ(peek_title(std::string_view(file).substr(0, kEntryHeadBytes)), entry->title);
}

TEST(CacheEntry, is_refused_after_a_change_of_any_bit) {
  const std::string file = encode_entry(kId, "axpy", "forty-one bytes or so of some machine code");
  for (size_t at = 0; at < file.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = file;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      EXPECT_FALSE(decode_entry(damaged, kId)) << at << ' ' << bit;
      peek_title(damaged);  // must not crash
    }
  }
}

TEST(CacheEntry, is_refused_at_any_other_length) {
  const std::string file = encode_entry(kId, "axpy", "machine code");
  for (size_t size = 0; size < file.size(); ++size) {
    const std::string_view part = std::string_view(file).substr(0, size);
    EXPECT_FALSE(decode_entry(part, kId)) << size;
    peek_title(part);
  }
  EXPECT_FALSE(decode_entry(file + '\0', kId));
  EXPECT_FALSE(decode_entry(std::string(file.size(), '\0'), kId));
}

TEST(CacheEntry, is_refused_under_another_name) {
  const std::string file = encode_entry(kId, "axpy", "machine code");
  EXPECT_FALSE(decode_entry(file, {EntryKind::kBitcode, kId.key}));
  EXPECT_FALSE(decode_entry(file, {EntryKind::kKernel, {.low = 1, .high = 2}}));
}

TEST(CacheEntry, has_a_file_name_that_reads_back) {
  EXPECT_EQ(file_name(kId), "fedcba98765432100123456789abcdef.kernel");
  for (const EntryKind kind : {EntryKind::kLibrary, EntryKind::kBitcode, EntryKind::kKernel}) {
    const EntryId id{kind, {.low = 5, .high = 0}};
    EXPECT_EQ(parse_file_name(file_name(id)), id);
  }
  for (const char* other :
       {"", ".kernel", "notes.txt", "fedcba98765432100123456789abcdef",
        "FEDCBA98765432100123456789abcdef.kernel", "-edcba98765432100123456789abcdef.kernel",
        "gedcba98765432100123456789abcdef.kernel", "fedcba98765432100123456789abcdef.kernel~"}) {
    EXPECT_EQ(parse_file_name(other), std::nullopt) << other;
  }
}

}  // namespace
}  // namespace assay::pipeline
