// Findings that the user knows and does not want to hear of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sanitizer/finding.h"

namespace assay::sanitizer {

// One entry per line, `#` starts a comment, `*` in a pattern stands for any text:
//
//   rule[:kernel[:file[:line]]]    # reason
//   race-same-value:flag_*         # all threads write 1
//
// Rule, kernel and file are patterns; the file matches with or without its folders. A colon in a
// name is written as *.
class Suppressions {
 public:
  struct Entry {
    std::string rule;    // pattern
    std::string kernel;  // pattern
    std::string file;    // pattern
    uint32_t line = 0;   // 0: any
    std::string reason;
    std::string source;  // "FILE:3: race-device:blur", for messages
    uint64_t uses = 0;
  };

  Suppressions() = default;
  // `name` of the file is for messages. The first line that makes no sense is an error.
  static Result<Suppressions> parse(std::string_view text, std::string_view name);
  static Result<Suppressions> load(const std::string& path);

  // Counts the use.
  bool suppresses(const Finding& finding);

  const std::vector<Entry>& entries() const { return entries_; }
  // Sources of the entries that nothing matched.
  std::vector<std::string> unused() const;

 private:
  std::vector<Entry> entries_;
};

// `*` stands for any text, also none.
bool matches_pattern(std::string_view pattern, std::string_view text);

}  // namespace assay::sanitizer
