// See clean_text.h.
#include "sanitizer/report/clean_text.h"

#include <cstddef>
#include <cstdint>

namespace assay::sanitizer {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// Bytes of the UTF-8 character at the front; 0 when there is none.
size_t character_bytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  size_t bytes = 0;
  if (first >= 0xc2 && first <= 0xdf) bytes = 2;
  if (first >= 0xe0 && first <= 0xef) bytes = 3;
  if (first >= 0xf0 && first <= 0xf4) bytes = 4;
  if (bytes == 0 || text.size() < bytes) return 0;
  uint32_t value = first & (0xffU >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return 0;
    value = value << 6 | (next & 0x3fU);
  }
  const bool is_too_long = (bytes == 3 && value < 0x800) || (bytes == 4 && value < 0x10000);
  const bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
  // Two numbers at the end of the first plane are no characters, and no part of XML.
  const bool is_none = value > 0x10ffff || value == 0xfffe || value == 0xffff;
  return is_too_long || is_surrogate || is_none ? 0 : bytes;
}

bool is_control(std::string_view character) {
  const auto byte = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return byte < 0x20 || byte == 0x7f;
  // U+0080 to U+009F: terminals obey them as well.
  return byte == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
}

}  // namespace

std::string clean_text(std::string_view text, bool keeps_lines) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const size_t bytes = character_bytes(text);
    if (bytes == 0) {
      result += kReplacement;
      text.remove_prefix(1);
      continue;
    }
    const std::string_view character = text.substr(0, bytes);
    const bool stays = character == "\t" || (keeps_lines && character == "\n");
    result += !stays && is_control(character) ? " " : character;
    text.remove_prefix(bytes);
  }
  return result;
}

}  // namespace assay::sanitizer
