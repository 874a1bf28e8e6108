// See junit_report.h.
#include "sanitizer/report/junit_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "sanitizer/report/clean_text.h"
#include "sanitizer/report/describe.h"
#include "sanitizer/report/text_report.h"

namespace assay::sanitizer {
namespace {

std::string escape(std::string_view text) {
  std::string result;
  for (const char c : clean_text(text, /*keeps_lines=*/true)) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string case_text(const Finding& finding, bool is_failure) {
  const std::string place = describe(finding.place);
  std::string text =
      fmt::format("    <testcase classname=\"{}\" name=\"{}{}{}\"", escape(finding.kernel),
                  escape(finding.rule), place.empty() ? "" : " at ", escape(place));
  const ProgramPlace where =
      finding.place.written.value_or(ProgramPlace{finding.place.file, finding.place.line});
  if (!where.file.empty()) text += fmt::format(" file=\"{}\"", escape(where.file));
  if (where.line != 0) text += fmt::format(" line=\"{}\"", where.line);
  text += ">\n";
  const std::string whole = escape(finding_text(finding));
  if (is_failure) {
    text += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                        escape(finding.rule), escape(clean_text(finding.message)), whole);
  } else {
    text += fmt::format("      <system-out>{}</system-out>\n", whole);
  }
  return text + "    </testcase>\n";
}

}  // namespace

std::string junit_report(const CheckReport& report, std::optional<Severity> fail_on) {
  std::string cases;
  uint64_t tests = 0, failures = 0;
  for (const Finding& finding : report.findings) {
    const bool is_failure = fail_on && finding.severity >= *fail_on;
    cases += case_text(finding, is_failure);
    ++tests;
    failures += is_failure ? 1 : 0;
  }
  for (const CheckedKernel& kernel : report.kernels) {
    if (std::ranges::find(report.findings, kernel.name, &Finding::kernel) !=
        report.findings.end()) {
      continue;
    }
    cases +=
        fmt::format("    <testcase classname=\"{}\" name=\"no findings\"/>\n", escape(kernel.name));
    ++tests;
  }
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\"", tests, failures);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"assay check\" {0}>\n"
      "  <testsuite name=\"assay check\" {0}>\n{1}"
      "    <system-out>{2}</system-out>\n"
      "  </testsuite>\n"
      "</testsuites>\n",
      counts, cases, escape(summary_text(report)));
}

}  // namespace assay::sanitizer
