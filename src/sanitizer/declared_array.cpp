// See declared_array.h.
#include "sanitizer/declared_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace assay::sanitizer {
namespace {

constexpr uint64_t kMostElements = uint64_t{1} << 32;

bool is_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
  return text;
}

// Takes the word or number that `text` begins with.
std::string_view take_word(std::string_view& text) {
  text = without_spaces(text);
  const auto end = std::ranges::find_if_not(text, is_word);
  const auto word = text.substr(0, static_cast<size_t>(end - text.begin()));
  text.remove_prefix(word.size());
  return word;
}

std::optional<uint64_t> read_number(std::string_view word) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  const std::string_view rest(end, static_cast<size_t>(word.data() + word.size() - end));
  const bool is_number = error == std::errc() && (rest.empty() || rest == "u" || rest == "U");
  // Numbers that begin with 0 count by eights or sixteens.
  if (!is_number || (word.front() == '0' && word.size() > 1 + rest.size())) return std::nullopt;
  return number;
}

// Sums of products of numbers and names: `N`, `N + 1`, `2 * N`.
std::optional<uint64_t> read_extent(std::string_view text, const FindConstant& constant) {
  uint64_t sum = 0;
  uint64_t product = 1;
  while (true) {
    const std::string_view word = take_word(text);
    if (word.empty()) return std::nullopt;
    const auto number = read_number(word);
    const auto factor = number ? number : constant(word);
    if (!factor || *factor > kMostElements) return std::nullopt;
    product *= *factor;
    text = without_spaces(text);
    const char sign = text.empty() ? '+' : text.front();
    if ((sign != '*' && sign != '+') || product > kMostElements) return std::nullopt;
    if (sign == '+') {
      sum += product;
      product = 1;
    }
    if (text.empty()) return sum <= kMostElements ? std::optional(sum) : std::nullopt;
    text.remove_prefix(1);
  }
}

bool is_number_type(std::string_view word) {
  constexpr std::array<std::string_view, 16> kTypes = {
      "float", "half",    "bfloat", "int",      "uint", "short", "ushort",     "char",
      "uchar", "int32_t", "bool",   "uint32_t", "long", "ulong", "atomic_int", "atomic_uint"};
  return std::ranges::find(kTypes, word) != kTypes.end();
}

}  // namespace

DeclaredArray read_declaration(std::string_view line, size_t begin, const FindConstant& constant) {
  DeclaredArray array;
  if (begin >= line.size()) return array;
  constexpr std::string_view kSpace = "threadgroup";
  const size_t space = line.substr(0, begin).rfind(kSpace);
  if (space != std::string_view::npos) {
    std::string_view type = line.substr(space + kSpace.size());
    array.is_of_numbers = is_number_type(take_word(type));
  }
  std::string_view rest = line.substr(begin);
  take_word(rest);
  bool is_known = true;
  for (rest = without_spaces(rest); rest.starts_with('['); rest = without_spaces(rest)) {
    const size_t end = rest.find(']');
    if (end == std::string_view::npos) return {};
    const auto extent = read_extent(rest.substr(1, end - 1), constant);
    is_known &= extent.has_value() && *extent != 0;
    array.extents.push_back(extent.value_or(0));
    ++array.dimensions;
    rest.remove_prefix(end + 1);
  }
  if (!is_known) array.extents.clear();
  return array;
}

std::optional<uint64_t> find_constant(std::string_view text, std::string_view name) {
  constexpr std::string_view kMacro = "#define";
  std::optional<uint64_t> found;
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    std::string_view rest = text.substr(at + name.size());
    if ((at != 0 && is_word(text[at - 1])) || (!rest.empty() && is_word(rest.front()))) continue;
    const std::string_view before = text.substr(0, at);
    const size_t line = before.rfind('\n') + 1;  // 0 on the first line
    const bool is_macro = without_spaces(before.substr(line)).starts_with(kMacro);
    rest = without_spaces(rest);
    if (!is_macro) {
      if (!rest.starts_with('=') || rest.starts_with("==")) continue;
      rest.remove_prefix(1);
    }
    const std::string_view end = is_macro ? "\r\n" : ",;";
    const std::string_view value = rest.substr(0, rest.find_first_of(end));
    const auto number = read_extent(value, [](std::string_view) { return std::nullopt; });
    if (!number || (found && found != number)) return std::nullopt;
    found = number;
  }
  return found;
}

uint64_t element_bytes_of(const DeclaredArray& array, const MemoryPlace& place) {
  uint64_t count = 1;
  for (const uint64_t extent : array.extents) {
    if (__builtin_mul_overflow(count, extent, &count) || count > place.object_bytes) return 0;
  }
  const bool is_known = array.extents.size() == array.dimensions;
  if (is_known && count != 0 && place.object_bytes % count == 0) {
    return place.object_bytes / count;
  }
  return array.dimensions == 1 && array.is_of_numbers ? place.element_bytes : 0;
}

std::string element_name(const MemoryPlace& place, const DeclaredArray& array) {
  const auto offset = static_cast<uint64_t>(place.offset);
  if (place.element_bytes == 0) return fmt::format("byte {} of {}", offset, place.name);
  uint64_t index = offset / place.element_bytes;
  std::vector<uint64_t> indices;
  for (size_t i = array.extents.size(); i-- > 1;) {
    indices.push_back(index % array.extents[i]);
    index /= array.extents[i];
  }
  if (array.dimensions != 0) indices.push_back(index);
  std::string text = place.name;
  for (size_t i = indices.size(); i-- > 0;) text += fmt::format("[{}]", indices[i]);
  const uint64_t rest = offset % place.element_bytes;
  if (rest == 0 && place.bytes >= place.element_bytes) return text;
  return fmt::format("byte {} of {}", rest, text);
}

}  // namespace assay::sanitizer
