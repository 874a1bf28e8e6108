// See kernel_source.h.
#include "analysis/kernel_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/query.h"

namespace assay::analysis {
namespace {

using trace::Id;
using trace::Statement;

constexpr int64_t kMaxSourceBytes = int64_t{64} << 20;
constexpr size_t kNamesInMessage = 10;

// For somebody who does not know the names: those that contain what was asked for first.
Error unknown_kernel(const trace::Document& document, const std::string& kernel) {
  std::vector<std::string> names;
  const Result<void> read = for_each_row(
      document, "SELECT DISTINCT name FROM kernels ORDER BY instr(name, ?) = 0, name LIMIT ?",
      [&](const Statement& row) { names.emplace_back(row.text(0)); }, kernel,
      int64_t{kNamesInMessage + 1});
  if (!read) return read.error();
  if (names.empty()) return Error{fmt::format("'{}' has no kernels", document.path())};
  const bool has_more = names.size() > kNamesInMessage;
  if (has_more) names.pop_back();
  return Error{fmt::format("'{}' has no kernel '{}'; it has {}{}", document.path(), kernel,
                           fmt::join(names, ", "), has_more ? " and others" : "")};
}

}  // namespace

Result<std::vector<KernelSource>> load_kernel_sources(const trace::Document& document,
                                                      const std::string& kernel) {
  std::vector<KernelSource> sources;
  std::vector<Id> contents;
  bool is_known = false;
  const Result<void> read = for_each_row(
      document,
      "SELECT file, options, source FROM kernels WHERE name = ? GROUP BY source ORDER BY min(id)",
      [&](const Statement& row) {
        is_known = true;
        if (row.is_null(2)) return;
        sources.push_back({std::string(row.text(0)), std::string(row.text(1)), {}});
        contents.push_back(row.integer(2));
      },
      kernel);
  if (!read) return read.error();
  if (!is_known) return unknown_kernel(document, kernel);
  if (sources.empty()) {
    return Error{fmt::format("'{}' does not hold the source of '{}': {}", document.path(), kernel,
                             document.fact("detail") == "timeline"
                                 ? "it was captured as a timeline; capture again with more detail"
                                 : "the program loaded it without one")};
  }
  for (size_t i = 0; i < sources.size(); ++i) {
    const Result<trace::Document::Content> content = document.content(contents[i], kMaxSourceBytes);
    if (!content) return content.error();
    sources[i].text.assign(reinterpret_cast<const char*>(content->bytes.data()),
                           content->bytes.size());
  }
  return sources;
}

}  // namespace assay::analysis
