// See cache_entry.h.
#include "pipeline/cache_entry.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <span>

namespace assay::pipeline {
namespace {

constexpr std::array<char, 8> kMagic = {'a', 's', 's', 'a', 'y', 'k', 'c', '\n'};
constexpr uint32_t kFormatVersion = 1;
constexpr size_t kMaxTitleBytes = 256;

struct Head {
  std::array<char, 8> magic = kMagic;
  uint32_t version = kFormatVersion;
  EntryKind kind = EntryKind::kLibrary;
  base::Hash128 key;
  uint64_t title_bytes = 0;
  uint64_t payload_bytes = 0;
  base::Hash128 checksum;  // of everything else
};
static_assert(sizeof(Head) == 64 && std::is_trivially_copyable_v<Head>);
static_assert(sizeof(Head) + kMaxTitleBytes <= kEntryHeadBytes);

base::Hash128 compute_checksum(Head head, std::string_view body) {
  head.checksum = {};
  return base::Hasher()
      .append(std::as_bytes(std::span(&head, 1)))
      .append(std::as_bytes(std::span(body)))
      .finish();
}

constexpr std::pair<EntryKind, std::string_view> kSuffixes[] = {
    {EntryKind::kLibrary, ".library"},
    {EntryKind::kBitcode, ".bitcode"},
    {EntryKind::kKernel, ".kernel"},
};

}  // namespace

std::string encode_entry(const EntryId& id, std::string_view title, std::string_view payload) {
  title = title.substr(0, kMaxTitleBytes);
  Head head{.kind = id.kind,
            .key = id.key,
            .title_bytes = title.size(),
            .payload_bytes = payload.size(),
            .checksum = {}};
  std::string file(sizeof head, '\0');
  file.reserve(sizeof head + title.size() + payload.size());
  file.append(title).append(payload);
  head.checksum = compute_checksum(head, std::string_view(file).substr(sizeof head));
  std::memcpy(file.data(), &head, sizeof head);
  return file;
}

std::optional<EntryView> decode_entry(std::string_view file, const EntryId& id) {
  Head head;
  if (file.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, file.data(), sizeof head);
  const std::string_view body = file.substr(sizeof head);
  const bool is_ours = head.magic == kMagic && head.version == kFormatVersion &&
                       head.kind == id.kind && head.key == id.key;
  if (!is_ours || head.title_bytes > body.size() ||
      head.payload_bytes != body.size() - head.title_bytes ||
      head.checksum != compute_checksum(head, body)) {
    return std::nullopt;
  }
  return EntryView{body.substr(0, head.title_bytes), body.substr(head.title_bytes)};
}

std::string_view peek_title(std::string_view file_start) {
  Head head;
  if (file_start.size() < sizeof head) return {};
  std::memcpy(&head, file_start.data(), sizeof head);
  if (head.magic != kMagic || head.version != kFormatVersion) return {};
  return file_start.substr(sizeof head, std::min<uint64_t>(head.title_bytes, kMaxTitleBytes));
}

std::string file_name(const EntryId& id) {
  const auto* suffix = std::ranges::find(kSuffixes, id.kind, [](auto& row) { return row.first; });
  return id.key.hex() + std::string(suffix->second);
}

std::optional<EntryId> parse_file_name(std::string_view name) {
  constexpr size_t kDigits = 16;  // of one word
  for (const auto& [kind, suffix] : kSuffixes) {
    if (name.size() != 2 * kDigits + suffix.size() || !name.ends_with(suffix)) continue;
    EntryId id{.kind = kind, .key = {}};
    const char* digits = name.data();
    const bool is_key =
        std::from_chars(digits, digits + kDigits, id.key.high, 16).ptr == digits + kDigits &&
        std::from_chars(digits + kDigits, digits + 2 * kDigits, id.key.low, 16).ptr ==
            digits + 2 * kDigits;
    if (is_key && file_name(id) == name) return id;
  }
  return std::nullopt;
}

}  // namespace assay::pipeline
