// See passage.h.
#include "base/passage.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace assay::base {
namespace {

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    if (end == text.size()) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string_view strip(std::string_view line) {
  constexpr std::string_view kBlank = " \t\r";
  const size_t begin = line.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kBlank) + 1 - begin);
}

// A literal may write this line in another way than it reads in the end.
bool may_have_escapes(std::string_view line) {
  return line.find('\\') != std::string_view::npos || line.find("{{") != std::string_view::npos ||
         line.find("}}") != std::string_view::npos;
}

struct Passage {
  std::vector<std::string_view> lines;  // stripped
  size_t anchor = 0;                    // the longest of them

  explicit Passage(std::string_view text) : lines(split_lines(text)) {
    for (std::string_view& line : lines) line = strip(line);
    for (size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].size() > lines[anchor].size()) anchor = i;
    }
  }

  // Whether line `index` may stand in `line` of the file: the first one behind, the last one in
  // front of something else.
  bool fits(size_t index, std::string_view line) const {
    const std::string_view wanted = lines[index];
    const bool is_first = index == 0, is_last = index + 1 == lines.size();
    const std::string_view found = strip(line);
    if (is_first && is_last) return found.find(wanted) != std::string_view::npos;
    if (is_first) return found.ends_with(wanted);
    if (is_last) return found.starts_with(wanted);
    return found == wanted;
  }
};

// Whether the passage begins in line `first` of the file.
bool is_there(const Passage& passage, const std::vector<std::string_view>& file, size_t first) {
  bool is_any_the_same = false;
  for (size_t i = 0; i < passage.lines.size(); ++i) {
    if (passage.fits(i, file[first + i])) {
      is_any_the_same |= !passage.lines[i].empty();
    } else if (!may_have_escapes(file[first + i])) {
      return false;
    }
  }
  return is_any_the_same;
}

uint64_t distance(size_t first, size_t lines, uint32_t near_line) {
  const size_t begin = first + 1, end = first + lines;
  if (near_line < begin) return begin - near_line;
  return near_line > end ? near_line - end : 0;
}

std::optional<size_t> find_first_line(const Passage& passage,
                                      const std::vector<std::string_view>& file,
                                      uint32_t near_line) {
  std::optional<size_t> nearest;
  const size_t count = passage.lines.size();
  for (size_t first = 0; first + count <= file.size(); ++first) {
    if (!passage.fits(passage.anchor, file[first + passage.anchor])) continue;
    if (!is_there(passage, file, first)) continue;
    if (!nearest || distance(first, count, near_line) < distance(*nearest, count, near_line)) {
      nearest = first;
    }
  }
  return nearest;
}

// A column counts from the start of what the two lines have in common.
uint32_t column_in(std::string_view line, std::string_view passage_line, uint32_t column) {
  const std::string_view common = strip(passage_line);
  const size_t there = line.find(common);
  if (column == 0 || common.empty() || there == std::string_view::npos) return column;
  const auto indent = static_cast<size_t>(common.data() - passage_line.data());
  return column <= indent ? column : static_cast<uint32_t>(column - indent + there);
}

}  // namespace

std::optional<TextPlace> find_in_passage(std::string_view text, std::string_view passage,
                                         TextPlace place, uint32_t near_line) {
  const Passage wanted(passage);
  const std::vector<std::string_view> lines = split_lines(passage);
  if (place.line == 0 || place.line > lines.size() || wanted.lines[wanted.anchor].empty()) {
    return std::nullopt;
  }
  const std::vector<std::string_view> file = split_lines(text);
  const std::optional<size_t> first = find_first_line(wanted, file, near_line);
  if (!first) return std::nullopt;
  const size_t at = *first + place.line - 1;
  return TextPlace{static_cast<uint32_t>(at + 1),
                   column_in(file[at], lines[place.line - 1], place.column)};
}

}  // namespace assay::base
