// See python_braces.h.
#include "msl/python_braces.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>

namespace assay::msl {
namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// {}, {0} or {name}: the '{' and the place behind the '}'.
struct Hole {
  size_t begin = 0;
  size_t end = 0;
};

class Line {
 public:
  explicit Line(const Diagnostic& diagnostic)
      : text_(diagnostic.source_line), caret_(diagnostic.column > 0 ? diagnostic.column - 1 : 0) {}

  char at(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  char before(size_t i) const { return i > 0 ? at(i - 1) : '\0'; }
  size_t caret() const { return caret_; }
  std::string_view text() const { return text_; }

  bool caret_is_at_doubled_brace() const {
    const char c = at(caret_);
    return (c == '{' || c == '}') && (before(caret_) == c || at(caret_ + 1) == c);
  }

  std::optional<Hole> hole_at(size_t begin) const {
    if (at(begin) != '{' || at(begin + 1) == '{' || before(begin) == '{') return std::nullopt;
    size_t end = begin + 1;
    while (is_name_character(at(end)) || at(end) == '.') ++end;
    if (at(end) != '}' || at(end + 1) == '}') return std::nullopt;
    return Hole{begin, end + 1};
  }

  // The one that the caret stands in or directly behind.
  std::optional<Hole> hole_around_caret() const {
    for (size_t begin = caret_ + 1; begin-- > 0 && caret_ - begin < 64;) {
      if (std::optional<Hole> hole = hole_at(begin)) {
        return hole->end >= caret_ ? hole : std::nullopt;
      }
    }
    return std::nullopt;
  }

  // A name such as kernel_{T}, whose first character the caret stands at.
  std::optional<Hole> hole_in_name() const {
    size_t end = caret_;
    while (is_name_character(at(end))) ++end;
    return end > caret_ ? hole_at(end) : std::nullopt;
  }

  // float2{x}, vec<T, 2>{x}: values in braces.
  bool is_initialiser(const Hole& hole) const {
    const char c = before(hole.begin);
    return is_name_character(c) || c == '>';
  }

  // = {x}, if (c) {x}: values, and blocks without a ';'.
  bool is_block_or_value(const Hole& hole) const {
    size_t i = hole.begin;
    while (before(i) == ' ') --i;
    constexpr std::string_view kInFront = "=){};";
    return i == 0 || kInFront.find(before(i)) != std::string_view::npos;
  }

 private:
  std::string_view text_;
  size_t caret_;
};

bool is_about_syntax(const std::string& message) {
  return message.starts_with("expected") || message.starts_with("extraneous") ||
         message.starts_with("excess elements in scalar") ||
         message.starts_with("cannot declare a class template with no name");
}

bool is_about_undeclared_hole(const Diagnostic& diagnostic, const Line& line) {
  if (!diagnostic.message.starts_with("use of undeclared")) return false;
  const std::optional<Hole> hole = line.hole_around_caret();
  return hole && line.caret() > hole->begin && line.caret() < hole->end &&
         !line.is_initialiser(*hole);
}

bool is_about_hole_in_name(const Diagnostic& diagnostic, const Line& line) {
  return diagnostic.message.starts_with("program scope variable") && line.hole_in_name();
}

bool breaks_syntax(const Diagnostic& diagnostic, const Line& line) {
  if (is_about_hole_in_name(diagnostic, line)) return true;
  if (!is_about_syntax(diagnostic.message)) return false;
  const std::optional<Hole> hole = line.hole_around_caret();
  return line.caret_is_at_doubled_brace() ||
         (hole && !line.is_initialiser(*hole) && !line.is_block_or_value(*hole));
}

}  // namespace

bool is_about_python_braces(const Diagnostic& diagnostic) {
  if (diagnostic.severity != Severity::kError || diagnostic.column == 0) return false;
  const Line line(diagnostic);
  return is_about_undeclared_hole(diagnostic, line) || breaks_syntax(diagnostic, line);
}

void remove_echoes_of_braces(std::vector<Diagnostic>& diagnostics) {
  std::map<std::pair<std::string, uint32_t>, const Diagnostic*> causes;
  for (Diagnostic& diagnostic : diagnostics) {
    const Line line(diagnostic);
    const bool is_cause = diagnostic.severity == Severity::kError && diagnostic.column > 0 &&
                          breaks_syntax(diagnostic, line);
    if (!is_cause) continue;
    if (is_about_hole_in_name(diagnostic, line)) {
      const size_t length = line.hole_in_name()->end - line.caret();
      diagnostic.message =
          "'" + std::string(line.text().substr(line.caret(), length)) + "' is no name";
    }
    causes.emplace(std::pair(diagnostic.file, diagnostic.line), &diagnostic);
  }
  std::vector<Diagnostic> kept;
  for (Diagnostic& diagnostic : diagnostics) {
    auto cause = causes.find({diagnostic.file, diagnostic.line});
    const bool is_echo = cause != causes.end() && cause->second != &diagnostic &&
                         diagnostic.severity == Severity::kError;
    if (!is_echo) kept.push_back(std::move(diagnostic));
  }
  diagnostics = std::move(kept);
}

}  // namespace assay::msl
