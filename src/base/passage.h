// Finds text that a program holds, such as MSL in a string of a Python program, in the program's
// own file.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::base {

// Lines and columns count from 1; columns in bytes.
struct TextPlace {
  uint32_t line = 0;
  uint32_t column = 0;
};

// Where `place` of `passage` stands in `text`: in the passage that is nearest to `near_line` if
// there are several. A passage may be indented differently there, begin or end in the middle of a
// line, and have lines with escapes (backslashes, double braces), which need not be the same.
// Nothing where the text does not have it, or has none of its lines as they are.
std::optional<TextPlace> find_in_passage(std::string_view text, std::string_view passage,
                                         TextPlace place, uint32_t near_line);

}  // namespace assay::base
