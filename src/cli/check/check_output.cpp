// See check_output.h.
#include "cli/check/check_output.h"

#include <algorithm>
#include <filesystem>

#include "base/format.h"
#include "cli/file_output.h"
#include "cli/json_text.h"
#include "sanitizer/report/json_report.h"
#include "sanitizer/report/junit_report.h"
#include "sanitizer/report/sarif_report.h"
#include "sanitizer/report/text_report.h"
#include "sanitizer/rules.h"

namespace assay::cli {
namespace {

std::string render(const sanitizer::CheckReport& report, const CheckOutput& output,
                   bool is_coloured) {
  if (output.format == "json") return sanitizer::json_report(report);
  if (output.format == "junit") return sanitizer::junit_report(report, output.fail_on);
  if (output.format == "sarif") {
    std::error_code failure;
    return sanitizer::sarif_report(report, {std::filesystem::current_path(failure).string()});
  }
  return sanitizer::text_report(report, {is_coloured});
}

Result<void> write_report(const std::string& text, const std::string& path) {
  Result<FileOutput> file = FileOutput::create(path);
  if (!file) return file.error();
  if (Result<void> written = file->write(text); !written) return written;
  return file->close();
}

}  // namespace

Result<void> print_report(const sanitizer::CheckReport& report, const CheckOutput& output,
                          const Console& console) {
  if (!output.file.empty()) {
    const Result<void> written = write_report(render(report, output, false), output.file);
    if (!written) return written;
    // The user still wants to know whether there is anything to read.
    const sanitizer::TextStyle style{console.is_error_coloured()};
    console.print_aside(sanitizer::summary_text(report, style));
    return {};
  }
  if (output.format == "text" && output.is_beside_program) {
    console.print_aside(render(report, output, console.is_error_coloured()));
  } else {
    console.print(render(report, output, console.is_output_coloured()));
  }
  return {};
}

bool has_failed(const sanitizer::CheckReport& report, const CheckOutput& output) {
  return output.fail_on &&
         std::ranges::any_of(report.findings, [&](const sanitizer::Finding& finding) {
           return finding.severity >= *output.fail_on;
         });
}

std::string rules_text(const Console& console) {
  base::Table table({{"rule"}, {"check"}, {"severity"}, {"what it finds"}});
  for (const sanitizer::Rule& rule : sanitizer::rules()) {
    table.add_row({console.paint(rule.id, base::Colour::kBold),
                   std::string(sanitizer::check_name(rule.check)),
                   std::string(sanitizer::severity_name(rule.severity)), std::string(rule.title)});
  }
  return table.text();
}

std::string rules_json() {
  Json list = Json::array();
  for (const sanitizer::Rule& rule : sanitizer::rules()) {
    list.push_back({{"id", rule.id},
                    {"check", sanitizer::check_name(rule.check)},
                    {"severity", sanitizer::severity_name(rule.severity)},
                    {"title", rule.title},
                    {"help", rule.help}});
  }
  return json_text({{"rules", std::move(list)}});
}

}  // namespace assay::cli
