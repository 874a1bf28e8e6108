// See kernel_findings.h.
#include "analysis/kernel_findings.h"

#include <algorithm>
#include <charconv>

#include "analysis/query.h"

namespace assay::analysis {
namespace {

using trace::FindingSeverity;

// `#line 12 "name"`: what the next line is called. False for every other line.
bool read_directive(std::string_view text, std::string_view& file, int64_t& line) {
  constexpr std::string_view kDirective = "#line ";
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  if (!text.starts_with(kDirective)) return false;
  text.remove_prefix(kDirective.size());
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), line);
  if (status != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  const size_t open = text.find('"');
  const size_t close = open == std::string_view::npos ? open : text.find('"', open + 1);
  if (close != std::string_view::npos) file = text.substr(open + 1, close - open - 1);
  return true;
}

}  // namespace

const char* severity_name(FindingSeverity severity) {
  switch (severity) {
    case FindingSeverity::kNote: return "note";
    case FindingSeverity::kWarning: return "warning";
    case FindingSeverity::kError: return "error";
  }
  return "";
}

Result<std::vector<KernelFinding>> load_kernel_findings(const trace::Document& document,
                                                        const std::string& kernel) {
  std::vector<KernelFinding> findings;
  if (!document.has_findings()) return findings;
  const Result<void> read = for_each_row(
      document,
      "SELECT command, rule, severity, kernel, file, line, character, message, fix, site, "
      "occurrences FROM findings WHERE ?1 = '' OR kernel = ?1 ORDER BY severity DESC, id",
      [&](const trace::Statement& row) {
        findings.push_back(
            {.command = row.integer(0),
             .rule = std::string(row.text(1)),
             .severity = static_cast<FindingSeverity>(std::clamp<int64_t>(row.integer(2), 0, 2)),
             .kernel = std::string(row.text(3)),
             .file = std::string(row.text(4)),
             .line = row.integer(5),
             .character = row.integer(6),
             .message = std::string(row.text(7)),
             .fix = std::string(row.text(8)),
             .site = std::string(row.text(9)),
             .occurrences = row.integer(10)});
      },
      kernel);
  if (!read) return read.error();
  return findings;
}

int64_t find_line(std::string_view text, std::string_view main_file, const SourceLine& wanted) {
  std::string_view file = main_file;
  int64_t line = 1;
  for (int64_t physical = 1; !text.empty(); ++physical) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (!read_directive(text.substr(0, end), file, line)) {
      if (line == wanted.line && file == wanted.file) return physical;
      ++line;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return 0;
}

}  // namespace assay::analysis
