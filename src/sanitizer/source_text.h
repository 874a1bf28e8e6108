// Lines of the sources that kernels were compiled from.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "kernel/checks.h"
#include "kernel/kernel_origin.h"
#include "sanitizer/declared_array.h"
#include "sanitizer/finding.h"

namespace assay::sanitizer {

// Keeps files it has read. The kernel's own source comes from its origin, headers from disk.
class SourceText {
 public:
  // `call_site` is the program's line that called the kernel ("script.py:12"), if it is known: a
  // source without a file is looked for there.
  SourceText(const kernel::KernelOrigin* origin, std::string_view call_site)
      : origin_(origin), call_site_(call_site) {}

  SourcePlace place(const kernel::SitePlace& place);
  // The first whole word `word` from the line of `from` on; `from` itself where there is none.
  SourcePlace find_word(const kernel::SitePlace& from, const std::string& word);
  // Whether the file has it as a whole word.
  bool has_word(const std::string& file, const std::string& word);
  // The identifier that begins at, or contains, the place; empty where there is none.
  std::string name_at(const kernel::SitePlace& place);
  // Of the threadgroup variable whose name stands there.
  DeclaredArray declaration_at(const kernel::SitePlace& place);

 private:
  std::optional<std::string_view> find_part(const std::string& file) const;
  const std::string& text_of(const std::string& file);
  std::string line(const std::string& file, uint32_t number);

  std::optional<ProgramPlace> find_written(const kernel::SitePlace& place);

  const kernel::KernelOrigin* origin_;
  const std::string call_site_;
  std::map<std::string, std::string> files_;
};

}  // namespace assay::sanitizer
