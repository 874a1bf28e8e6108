// See report_text.h.
#include "cli/report_text.h"

#include <fmt/format.h>

#include "analysis/report/report_json.h"
#include "base/format.h"
#include "cli/table_text.h"

namespace assay::cli {
namespace {

using analysis::Finding;
using analysis::KernelRate;
using analysis::Report;
using analysis::Severity;

constexpr size_t kTextWidth = 96;
constexpr size_t kKernels = 8;
constexpr size_t kChecks = 8;

// Texts of traces come from anywhere.
std::string clean(const std::string& text) {
  return cell_text(text, analysis::ColumnKind::kText, std::string::npos);
}

// Lines of that width, each behind the indentation.
std::string wrap(const std::string& text, size_t indentation) {
  const std::string margin(indentation, ' ');
  std::string result, line;
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const size_t width = base::display_width(line) + 1 + base::display_width(word);
    if (!line.empty() && indentation + width > kTextWidth) {
      result += margin + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  return line.empty() ? result : result + margin + line + "\n";
}

base::Colour colour_of(Severity severity) {
  switch (severity) {
    case Severity::kHigh: return base::Colour::kRed;
    case Severity::kMedium: return base::Colour::kYellow;
    case Severity::kLow: return base::Colour::kBlue;
  }
  return base::Colour::kGrey;
}

std::string finding_text(const Finding& finding, size_t number, const Console& console) {
  const std::string severity = fmt::format("{:<6}", analysis::severity_name(finding.severity));
  std::string text =
      fmt::format("\n{}. {}  {}\n", number, console.paint(severity, colour_of(finding.severity)),
                  console.paint(clean(finding.title), base::Colour::kBold));
  if (!finding.site.empty()) text += fmt::format("   at {}\n", clean(finding.site));
  text += wrap(clean(finding.detail), 3);
  text += wrap("To do: " + clean(finding.advice) + ".", 3);
  return text;
}

base::Colour colour_of(trace::FindingSeverity severity) {
  switch (severity) {
    case trace::FindingSeverity::kError: return base::Colour::kRed;
    case trace::FindingSeverity::kWarning: return base::Colour::kYellow;
    case trace::FindingSeverity::kNote: return base::Colour::kBlue;
  }
  return base::Colour::kGrey;
}

// What is wrong, in front of what is slow.
std::string checks_text(const Report& report, const Console& console) {
  std::string text;
  for (size_t i = 0; i < std::min(kChecks, report.checks.size()); ++i) {
    const analysis::KernelFinding& finding = report.checks[i];
    text += fmt::format(
        "\n{}  {}\n   at {}:{} of kernel {}{}\n",
        console.paint(analysis::severity_name(finding.severity), colour_of(finding.severity)),
        console.paint(clean(finding.message), base::Colour::kBold), clean(finding.file),
        finding.line, clean(finding.kernel),
        finding.site.empty() ? "" : fmt::format(", called from {}", clean(finding.site)));
    if (!finding.fix.empty()) text += wrap("To do: " + clean(finding.fix) + ".", 3);
  }
  if (report.checks.size() > kChecks) {
    text += fmt::format("\nand {} more that checks found; --json has them all\n",
                        report.checks.size() - kChecks);
  }
  return text;
}

std::string kernels_text(const Report& report) {
  using base::Align;
  base::Table table({{"kernel"},
                     {"runs", Align::kRight},
                     {"time", Align::kRight},
                     {"rate", Align::kRight},
                     {"of peak", Align::kRight}});
  for (size_t i = 0; i < std::min(kKernels, report.kernels.size()); ++i) {
    const KernelRate& kernel = report.kernels[i];
    const auto time = static_cast<double>(kernel.total_ns);
    table.add_row(
        {cell_text(kernel.name, analysis::ColumnKind::kText, 40),
         fmt::format("{}", kernel.dispatches), base::format_duration(time),
         kernel.bytes > 0 ? base::format_rate(static_cast<double>(kernel.bytes), time) : "-",
         kernel.peak_share ? fmt::format("{:.0f} %", 100 * *kernel.peak_share) : "-"});
  }
  std::string text = "\n" + table.text();
  if (report.kernels.size() > kKernels) {
    text += fmt::format("and {} more; assay trace kernels has them all\n",
                        report.kernels.size() - kKernels);
  }
  const bool has_peak = std::ranges::any_of(
      report.kernels, [](const KernelRate& kernel) { return kernel.peak_share.has_value(); });
  if (!has_peak) {
    text +=
        "How far that is from the device's peak is not known: run assay devices --measure "
        "before recording.\n";
  }
  const bool exceeds_peak = std::ranges::any_of(
      report.kernels, [](const KernelRate& kernel) { return kernel.peak_share > 1.005; });
  if (exceeds_peak) {
    text +=
        "Above 100 %: data came from caches, which are faster than the memory whose peak was "
        "measured;\nor that was done on a busy machine (assay devices --measure does it again).\n";
  }
  return text;
}

}  // namespace

std::string report_text(const Report& report, const Console& console) {
  std::string text = wrap(clean(report.verdict.text), 0);
  text += checks_text(report, console);
  size_t number = 0;
  for (const Finding& finding : report.findings) text += finding_text(finding, ++number, console);
  if (report.findings.empty() && report.verdict.bound != analysis::Bound::kTooShort) {
    text += "\nNothing found that would make it faster.\n";
  }
  return report.kernels.empty() ? text : text + kernels_text(report);
}

}  // namespace assay::cli
