// See page_sections.h.
#include "analysis/page/page_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "analysis/kernel_findings.h"
#include "analysis/page/section_writer.h"
#include "analysis/query.h"
#include "analysis/report/report_json.h"

namespace assay::analysis {
namespace {

struct NamedSection {
  std::string_view name;
  Result<std::string> (*load)(const trace::Document&);
};

constexpr NamedSection kSections[] = {
    {"core", load_core_section},         {"traffic", load_traffic_section},
    {"bindings", load_bindings_section}, {"dependencies", load_dependencies_section},
    {"report", load_report_section},
};

// The number behind "source/"; nothing for a name of another form.
std::optional<trace::Id> id_behind(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  const std::string_view digits = name.substr(prefix.size());
  trace::Id id = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
  if (failure != std::errc() || end != digits.data() + digits.size() || id < 1) return std::nullopt;
  return id;
}

Result<std::string> load_content(const trace::Document& document, trace::Id id) {
  const Result<trace::Document::Content> content = document.content(id);
  if (!content) return content.error();
  SectionWriter section;
  section.tables["bytes"] = page_number(static_cast<int64_t>(content->bytes.size()));
  const auto* data = reinterpret_cast<const uint8_t*>(content->bytes.data());
  section.add_column(
      "data", std::span(data, std::min<size_t>(content->bytes.size(), size_t{kMostContentBytes})));
  return section.finish();
}

struct KernelNames {
  std::string name, file;
};
Result<KernelNames> load_names(const trace::Document& document, trace::Id kernel) {
  KernelNames names;
  const Result<void> read = for_each_row(
      document, "SELECT name, file FROM kernels WHERE id = ?",
      [&](const trace::Statement& row) {
        names = {std::string(row.text(0)), std::string(row.text(1))};
      },
      kernel);
  if (!read) return read.error();
  return names;
}

// The line in which a kernel whose source has `#line` begins, from 1: its reflection counts as that
// says. 0 for others.
int64_t find_begin(std::string_view text, const std::string& name) {
  const size_t at = text.find(fmt::format("void {}(", name));
  if (text.find("#line ") == std::string_view::npos || at == std::string_view::npos) return 0;
  return 1 + std::ranges::count(text.substr(0, at), '\n');
}

Result<std::string> load_source(const trace::Document& document, trace::Id kernel) {
  const Result<int64_t> content =
      load_number(document, "SELECT source FROM kernels WHERE id = ?", kernel);
  if (!content) return content.error();
  if (*content == 0) {
    return Error{fmt::format("'{}' has no source of kernel {}", document.path(), kernel)};
  }
  const Result<trace::Document::Content> source = document.content(*content, kMostContentBytes);
  if (!source) return source.error();
  const std::string_view text(reinterpret_cast<const char*>(source->bytes.data()),
                              source->bytes.size());
  const Result<KernelNames> names = load_names(document, kernel);
  if (!names) return names.error();
  const Result<std::vector<KernelFinding>> findings = load_kernel_findings(document, names->name);
  if (!findings) return findings.error();
  nlohmann::json lines = nlohmann::json::array();
  for (const KernelFinding& finding : *findings) {
    nlohmann::json each = kernel_finding_json(finding);
    each["source_line"] = find_line(text, names->file, {finding.file, finding.line});
    lines.push_back(std::move(each));
  }
  SectionWriter section;
  section.tables["text"] = text;
  section.tables["findings"] = std::move(lines);
  section.tables["begin"] = find_begin(text, names->name);
  return section.finish();
}

}  // namespace

Result<std::string> load_report_section(const trace::Document& document) {
  const Result<Report> report = make_report(document);
  if (!report) return report.error();
  SectionWriter section;
  section.tables["report"] = report_json(*report);
  return section.finish();
}

Result<std::string> load_page_section(const trace::Document& document, std::string_view name) {
  for (const NamedSection& section : kSections) {
    if (section.name == name) return section.load(document);
  }
  if (const auto kernel = id_behind(name, "source/")) return load_source(document, *kernel);
  if (const auto content = id_behind(name, "content/")) return load_content(document, *content);
  return Error{fmt::format("there is no piece '{}' of a page", name)};
}

Result<std::vector<std::string>> list_small_sections(const trace::Document& document) {
  std::vector<std::string> names;
  Result<void> read =
      for_each_row(document, "SELECT id FROM kernels WHERE source IS NOT NULL ORDER BY id",
                   [&](const trace::Statement& row) {
                     names.push_back(fmt::format("source/{}", row.integer(0)));
                   });
  if (!read) return read.error();
  int64_t total = 0;
  // Contents that sources alone use come already with their kernels.
  read = for_each_row(
      document,
      "SELECT id, bytes FROM contents WHERE bytes BETWEEN 0 AND ? AND id NOT IN "
      "(SELECT source FROM kernels WHERE source IS NOT NULL) ORDER BY id",
      [&](const trace::Statement& row) {
        total += row.integer(1);
        if (total > kMostSmallBytes) return false;
        names.push_back(fmt::format("content/{}", row.integer(0)));
        return true;
      },
      kSmallContentBytes);
  if (!read) return read.error();
  return names;
}

}  // namespace assay::analysis
