// One file of the kernel cache as bytes: a head that says what it is, a checksum, a title for
// people and the payload. What the payload means is cache_records.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.h"

namespace assay::pipeline {

enum class EntryKind : uint32_t { kLibrary = 1, kBitcode = 2, kKernel = 3 };

struct EntryId {
  EntryKind kind = EntryKind::kLibrary;
  base::Hash128 key;

  auto operator<=>(const EntryId&) const = default;
};

// Views into the bytes that were decoded.
struct EntryView {
  std::string_view title;
  std::string_view payload;
};

std::string encode_entry(const EntryId& id, std::string_view title, std::string_view payload);

// Nothing unless `file` is exactly what encode_entry() made for `id`.
std::optional<EntryView> decode_entry(std::string_view file, const EntryId& id);

// The title from the first bytes of a file (kEntryHeadBytes are enough), for lists. Not verified.
constexpr size_t kEntryHeadBytes = 512;
std::string_view peek_title(std::string_view file_start);

// Name of the entry's file, and back. Other files are none of ours.
std::string file_name(const EntryId& id);
std::optional<EntryId> parse_file_name(std::string_view name);

}  // namespace assay::pipeline
