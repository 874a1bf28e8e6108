// Text that is one number and nothing else.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace assay {

// Nothing if `text` is no number, has anything around it, or does not fit. `base` counts for
// integers; no prefix such as 0x is understood.
template <typename Number>
std::optional<Number> parse_number(std::string_view text, int base = 10) {
  Number number{};
  const char* end = text.data() + text.size();
  std::from_chars_result result{};
  if constexpr (std::integral<Number>) {
    result = std::from_chars(text.data(), end, number, base);
  } else {
    result = std::from_chars(text.data(), end, number);
  }
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return number;
}

}  // namespace assay
