// See sarif_report.h. Section numbers are those of the OASIS standard.
#include "sanitizer/report/sarif_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "assay/version.h"
#include "base/format.h"
#include "base/hash.h"
#include "sanitizer/report/clean_text.h"
#include "sanitizer/report/describe.h"
#include "sanitizer/report/finding_fields.h"
#include "sanitizer/rules.h"

namespace assay::sanitizer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRootName = "%SRCROOT%";

Json message(std::string_view text) { return {{"text", text}}; }

// A path as the path of a URI: everything but plain characters as %XX.
std::string uri_path(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
  std::string uri;
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || kPlain.find(c) != std::string_view::npos;
    if (is_plain) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

class SarifWriter {
 public:
  explicit SarifWriter(const SarifOptions& options)
      : root_(fs::path(options.root).lexically_normal()) {}

  Json run(const CheckReport& report) const {
    Json results = Json::array();
    for (const Finding& finding : report.findings) results.push_back(result(finding));
    Json run = {{"tool", tool()},
                {"columnKind", "unicodeCodePoints"},
                {"invocations", Json::array({{{"executionSuccessful", true}}})},
                {"results", std::move(results)}};
    if (!root_.empty()) {
      run["originalUriBaseIds"] = {{kRootName, {{"uri", root_uri()}}}};
    }
    return run;
  }

 private:
  static Json tool() {
    Json list = Json::array();
    for (const Rule& rule : rules()) {
      list.push_back({{"id", rule.id},
                      {"shortDescription", message(rule.title)},
                      {"fullDescription", message(rule.help)},
                      {"help", message(rule.help)},
                      {"defaultConfiguration", {{"level", severity_name(rule.severity)}}},
                      {"properties", {{"tags", Json::array({check_name(rule.check)})}}}});
    }
    return {{"driver", {{"name", "assay check"}, {"version", version()}, {"rules", list}}}};
  }

  std::string root_uri() const {
    const std::string path = uri_path(root_.string());
    return fmt::format("file://{}{}", path, path.ends_with('/') ? "" : "/");
  }

  Json artifact(const std::string& file) const {
    const fs::path path = fs::path(file).lexically_normal();
    if (!path.is_absolute()) {
      Json json = {{"uri", uri_path(path.string())}};
      if (!root_.empty()) json["uriBaseId"] = kRootName;
      return json;
    }
    const fs::path relative = root_.empty() ? fs::path() : path.lexically_relative(root_);
    if (relative.empty() || *relative.begin() == "..") {
      return {{"uri", "file://" + uri_path(path.string())}};
    }
    return {{"uri", uri_path(relative.string())}, {"uriBaseId", kRootName}};
  }

  // Columns of the compiler count bytes, those of the report characters (§3.14.17). A source in a
  // program's file may stand further right there.
  static Json region(const SourcePlace& place) {
    const uint32_t column = place.written ? place.written->column : place.column;
    Json json = {{"startLine", place.written ? place.written->line : place.line}};
    if (column != 0) {
      const size_t bytes =
          std::min({size_t{column} - 1, size_t{place.column} - 1, place.text.size()});
      const size_t beyond = column - 1 - bytes;
      json["startColumn"] =
          base::display_width(clean_text(std::string_view(place.text).substr(0, bytes))) + beyond +
          1;
    }
    if (!place.text.empty()) json["snippet"] = message(place.text);
    return json;
  }

  // Null where the file is not known.
  Json physical(const SourcePlace& place) const {
    if (place.file.empty()) return nullptr;
    Json json = {{"artifactLocation", artifact(place.written ? place.written->file : place.file)}};
    if (place.line != 0) json["region"] = region(place);
    return json;
  }

  Json location(const SourcePlace& place, const std::string& kernel) const {
    Json json = Json::object();
    if (Json where = physical(place); !where.is_null()) json["physicalLocation"] = where;
    if (!kernel.empty()) {
      json["logicalLocations"] = Json::array({{{"name", kernel}, {"kind", "function"}}});
    }
    return json;
  }

  Json related(const Finding& finding) const {
    Json list = Json::array();
    for (const RelatedPlace& each : finding.related) {
      std::string text = each.message;
      if (each.thread) text += fmt::format("\nthread: {}", describe(*each.thread));
      Json json = location(each.place, {});
      json["id"] = list.size() + 1;
      json["message"] = message(text);
      list.push_back(std::move(json));
    }
    return list;
  }

  // The text of the line in place of its number: a finding stays the same when lines above change.
  static std::string fingerprint(const Finding& finding) {
    base::Hasher hasher;
    hasher.add(finding.rule).add(finding.kernel).add(finding.place.file).add(finding.place.text);
    if (finding.place.text.empty()) hasher.add(uint64_t{finding.place.line});
    if (finding.memory) hasher.add(finding.memory->name);
    return hasher.finish().hex();
  }

  static std::string result_text(const Finding& finding) {
    std::string text = finding.message;
    for (const Detail& detail : details(finding)) {
      text += fmt::format("\n{}: {}", detail.title, detail.text);
    }
    if (!finding.fix.empty()) text += fmt::format("\nfix: {}", finding.fix);
    return text;
  }

  Json result(const Finding& finding) const {
    Json json = {{"ruleId", finding.rule}};
    if (const Rule* rule = find_rule(finding.rule)) json["ruleIndex"] = rule - rules().data();
    json["level"] = severity_name(finding.severity);
    json["message"] = message(result_text(finding));
    json["locations"] = Json::array({location(finding.place, finding.kernel)});
    if (!finding.related.empty()) json["relatedLocations"] = related(finding);
    json["occurrenceCount"] = std::max<uint64_t>(finding.occurrences, 1);
    json["partialFingerprints"] = {{"assayFinding/v1", fingerprint(finding)}};
    json["properties"] = {{"finding", finding_fields(finding)}};
    return json;
  }

  const fs::path root_;
};

}  // namespace

std::string sarif_report(const CheckReport& report, const SarifOptions& options) {
  const Json json = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                     {"version", "2.1.0"},
                     {"runs", Json::array({SarifWriter(options).run(report)})}};
  return json_text(json, 2) + '\n';
}

}  // namespace assay::sanitizer
