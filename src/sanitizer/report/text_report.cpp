// See text_report.h.
#include "sanitizer/report/text_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/format.h"
#include "sanitizer/report/clean_text.h"
#include "sanitizer/report/describe.h"
#include "sanitizer/rules.h"

namespace assay::sanitizer {
namespace {

using base::Colour;
using base::paint;

constexpr size_t kMaxColumns = 100;    // of a line of source
constexpr size_t kColumnsBefore = 40;  // shown before the caret where a line is longer
constexpr size_t kTitleWidth = 8;
constexpr size_t kNumberWidth = 6;

Colour colour_of(Severity severity) {
  switch (severity) {
    case Severity::kNote: return Colour::kBlue;
    case Severity::kWarning: return Colour::kYellow;
    case Severity::kError: break;
  }
  return Colour::kRed;
}

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

// Where the character with that number, from 0, begins.
size_t find_character(std::string_view text, size_t number) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (starts_character(text[at]) && number-- == 0) return at;
  }
  return text.size();
}

// A line and what stands under it.
struct Snippet {
  std::string line;
  std::string before_caret;
};

// `column` counts bytes from 1.
Snippet make_snippet(const SourcePlace& place) {
  // Cleaned in two parts, so that the caret stays with its character.
  const size_t caret =
      std::min<size_t>(place.column == 0 ? 0 : place.column - 1, place.text.size());
  std::string before = clean_text(std::string_view(place.text).substr(0, caret));
  std::string after = clean_text(std::string_view(place.text).substr(caret));
  while (after.ends_with(' ')) after.pop_back();
  if (base::display_width(before) + base::display_width(after) > kMaxColumns) {
    const size_t width = base::display_width(before);
    if (width > kColumnsBefore) {
      before = "…" + before.substr(find_character(before, width - kColumnsBefore));
    }
    const size_t room = kMaxColumns - base::display_width(before);
    if (base::display_width(after) > room) {
      after = after.substr(0, find_character(after, room)) + "…";
    }
  }
  std::string blank;
  for (const char c : before) {
    if (starts_character(c)) blank += c == '\t' ? '\t' : ' ';
  }
  return {before + after, std::move(blank)};
}

void append_snippet(std::string& text, const SourcePlace& place, Colour colour, TextStyle style) {
  if (place.text.empty() || place.line == 0) return;
  const Snippet snippet = make_snippet(place);
  const std::string number = fmt::format("{:>{}} | ", place.line, kNumberWidth);
  const std::string gap = fmt::format("{:>{}} | ", "", kNumberWidth);
  text += paint(number, Colour::kGrey, style.is_coloured) + snippet.line + '\n';
  if (place.column == 0) return;
  text += paint(gap, Colour::kGrey, style.is_coloured) + snippet.before_caret +
          paint("^", colour, style.is_coloured) + '\n';
}

void append_detail(std::string& text, const Detail& detail, TextStyle style) {
  text += fmt::format(
      "  {}{}\n",
      paint(fmt::format("{:<{}}", detail.title, kTitleWidth), Colour::kGrey, style.is_coloured),
      clean_text(detail.text));
}

// "file:1:2: error: message".
std::string head_line(std::string_view where, Severity severity, std::string_view message,
                      TextStyle style) {
  const std::string mark = fmt::format("{}:", severity_name(severity));
  return fmt::format(
      "{}{} {}",
      where.empty() ? "" : paint(clean_text(where) + ":", Colour::kBold, style.is_coloured) + " ",
      paint(mark, colour_of(severity), style.is_coloured),
      paint(clean_text(message), Colour::kBold, style.is_coloured));
}

}  // namespace

std::string finding_text(const Finding& finding, TextStyle style) {
  const std::string place = describe(finding.place);
  std::string text =
      head_line(place.empty() ? finding.kernel : place, finding.severity, finding.message, style) +
      paint(fmt::format(" [{}]", clean_text(finding.rule)), Colour::kGrey, style.is_coloured) +
      '\n';
  append_snippet(text, finding.place, colour_of(finding.severity), style);
  for (const Detail& detail : details(finding)) append_detail(text, detail, style);
  for (const RelatedPlace& related : finding.related) {
    text += head_line(describe(related.place), Severity::kNote, related.message, style) + '\n';
    append_snippet(text, related.place, colour_of(Severity::kNote), style);
    if (related.thread) append_detail(text, {"thread", describe(*related.thread)}, style);
    if (related.place.written) {
      append_detail(text, {"written", describe(*related.place.written)}, style);
    }
  }
  if (!finding.fix.empty()) append_detail(text, {"fix:", finding.fix}, style);
  return text;
}

std::string summary_text(const CheckReport& report, TextStyle style) {
  std::vector<std::string> counts;
  Colour colour = Colour::kGreen;
  for (const Severity severity : {Severity::kNote, Severity::kWarning, Severity::kError}) {
    const uint64_t count = report.count(severity);
    if (count == 0) continue;
    counts.insert(counts.begin(), count_text(count, severity_name(severity)));
    colour = colour_of(severity);
  }
  if (counts.empty()) counts.emplace_back("no findings");
  std::string text =
      fmt::format("assay check: {}",
                  paint(fmt::format("{}", fmt::join(counts, ", ")), colour, style.is_coloured));
  if (report.kernels.empty()) {
    text += "; no kernel ran under the checks";
  } else {
    text += fmt::format(" in {} of {}", count_text(report.dispatches(), "dispatch"),
                        count_text(report.kernels.size(), "kernel"));
  }
  if (report.suppressed > 0) text += fmt::format("; {} suppressed", count_text(report.suppressed));
  if (report.left_out > 0) {
    text += fmt::format("; {} not shown", count_text(report.left_out, "further finding"));
  }
  return text + '\n';
}

std::string text_report(const CheckReport& report, TextStyle style) {
  std::string text;
  for (const Finding& finding : report.findings) text += finding_text(finding, style) + '\n';
  const std::string mark = paint("warning:", Colour::kYellow, style.is_coloured);
  for (const std::string& warning : report.warnings) {
    text += fmt::format("{} {}\n", mark, clean_text(warning));
  }
  for (const std::string& unused : report.unused_suppressions) {
    text += fmt::format("{} suppression was not needed: {}\n", mark, clean_text(unused));
  }
  return text + summary_text(report, style);
}

}  // namespace assay::sanitizer
