// See diagnostic.h.
#include "msl/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::msl {
namespace {

const char* severity_word(Severity severity) {
  switch (severity) {
    case Severity::kNote: return "note";
    case Severity::kWarning: return "warning";
    case Severity::kError: break;
  }
  return "error";
}

}  // namespace

std::string render(const Diagnostic& diagnostic) {
  std::string text;
  if (diagnostic.line > 0) {
    text = fmt::format("{}:{}:{}: ", diagnostic.file, diagnostic.line, diagnostic.column);
  }
  text += fmt::format("{}: {}\n", severity_word(diagnostic.severity), diagnostic.message);
  if (!diagnostic.source_line.empty()) {
    std::string number = fmt::format("{:5}", diagnostic.line);
    text += fmt::format("{} | {}\n", number, diagnostic.source_line);
    text += fmt::format("{} | {}\n", std::string(number.size(), ' '), diagnostic.marker);
  }
  if (!diagnostic.fix.empty()) text += fmt::format("  fix: {}\n", diagnostic.fix);
  for (const Diagnostic& note : diagnostic.notes) text += render(note);
  return text;
}

std::string render(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += render(diagnostic);
  return text;
}

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::ranges::any_of(diagnostics, [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::kError;
  });
}

}  // namespace assay::msl
