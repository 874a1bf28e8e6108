// How an array was declared, as far as the text of the declaration shows. What macros, templates
// and other names hide is left open.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sanitizer/finding.h"

namespace assay::sanitizer {

struct DeclaredArray {
  size_t dimensions = 0;          // brackets behind the name
  std::vector<uint64_t> extents;  // one for each; empty where one of them is not known
  bool is_of_numbers = false;     // of a type without parts that can be told from its name
};

// What the numbers are that names stand for.
using FindConstant = std::function<std::optional<uint64_t>(std::string_view name)>;

// `line` declares a threadgroup variable whose name begins at `begin`.
DeclaredArray read_declaration(std::string_view line, size_t begin, const FindConstant& constant);

// The number that `text` gives `name` by a macro or an initialiser, if it is the same everywhere.
std::optional<uint64_t> find_constant(std::string_view text, std::string_view name);

// The size of an element of such a variable; 0 where that is not known. An access as large as a
// number is one of an array of numbers.
uint64_t element_bytes_of(const DeclaredArray& array, const MemoryPlace& place);

// "tile[1][2]", or "byte 4 of part[1]" where an access is none of one whole element.
std::string element_name(const MemoryPlace& place, const DeclaredArray& array);

}  // namespace assay::sanitizer
