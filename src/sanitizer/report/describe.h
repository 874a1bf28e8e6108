// Parts of a finding in words, the same in every form of report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sanitizer/finding.h"

namespace assay::sanitizer {

// "4,096".
std::string count_text(uint64_t count);
// "3 errors", "1 error".
std::string count_text(uint64_t count, std::string_view noun);

// "(3, 0, 0) of threadgroup (2, 0, 0), grid position (67, 0, 0)".
std::string describe(const ThreadPlace& thread);

// "halo.metal:9:15"; empty when the file is not known.
std::string describe(const SourcePlace& place);
std::string describe(const ProgramPlace& place);

// "input: device float32[10, 100], array 'weights'".
std::string describe_object(const MemoryPlace& memory);
// "1000, 4 bytes behind the end of 4,000 bytes", "205 at [2, 5]".
std::string describe_index(const MemoryPlace& memory);

// One line about a finding: what and its value.
struct Detail {
  std::string_view title;  // "thread"
  std::string text;
};
// Everything but message, places and fix, in the order in which it is told.
std::vector<Detail> details(const Finding& finding);

}  // namespace assay::sanitizer
