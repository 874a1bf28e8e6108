// See diagnostic_collector.h.
#include "msl/diagnostic_collector.h"

#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/SmallString.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "msl/body_braces.h"
#include "msl/body_fixes.h"
#include "msl/internal_names.h"
#include "msl/metal_words.h"
#include "msl/python_braces.h"
#include "msl/standard_library.h"

namespace assay::msl {
namespace {

constexpr size_t kMaxDiagnostics = 200;
constexpr size_t kMaxNotes = 6;
constexpr size_t kMaxLineBytes = 400;
constexpr size_t kMaxMessageBytes = 8000;

struct Place {
  clang::FileID file;
  unsigned offset = 0;
};

// The place in a file that the user sees: where a macro is used, not where it is defined.
std::optional<Place> place_of(clang::SourceLocation location, const clang::SourceManager& sources) {
  if (location.isInvalid()) return std::nullopt;
  auto [file, offset] = sources.getDecomposedLoc(sources.getFileLoc(location));
  return Place{file, offset};
}

std::string text_of_line(const Place& place, const clang::SourceManager& sources,
                         unsigned& line_offset) {
  bool invalid = false;
  llvm::StringRef buffer = sources.getBufferData(place.file, &invalid);
  if (invalid || place.offset > buffer.size()) return {};
  size_t begin = place.offset;
  while (begin > 0 && buffer[begin - 1] != '\n') --begin;
  size_t end = buffer.find_first_of("\r\n", begin);
  if (end == llvm::StringRef::npos) end = buffer.size();
  line_offset = static_cast<unsigned>(begin);
  return buffer.slice(begin, std::min(end, begin + kMaxLineBytes)).str();
}

// Tabs stay tabs so that the caret stands under its character.
std::string blank_like(const std::string& line) {
  std::string blank = line;
  std::ranges::transform(blank, blank.begin(), [](char c) { return c == '\t' ? '\t' : ' '; });
  return blank;
}

void mark_ranges(const clang::Diagnostic& info, const clang::SourceManager& sources,
                 const clang::LangOptions& options, const Place& place, unsigned line_offset,
                 std::string& marker) {
  for (const clang::CharSourceRange& range : info.getRanges()) {
    auto begin = place_of(range.getBegin(), sources);
    auto end = place_of(range.getEnd(), sources);
    if (!begin || !end || begin->file != place.file || end->file != place.file) continue;
    size_t last = end->offset;
    if (range.isTokenRange()) {
      last +=
          clang::Lexer::MeasureTokenLength(sources.getFileLoc(range.getEnd()), sources, options);
    }
    size_t first = std::max<size_t>(begin->offset, line_offset);
    for (size_t i = first; i < last && i - line_offset < marker.size(); ++i) {
      marker[i - line_offset] = '~';
    }
  }
}

// `info`: null for messages that clang does not have.
void fill_place(clang::SourceLocation location, const clang::SourceManager& sources,
                const clang::Diagnostic* info, const clang::LangOptions& options,
                Diagnostic& diagnostic) {
  std::optional<Place> place = place_of(location, sources);
  if (!place) return;
  clang::PresumedLoc presumed = sources.getPresumedLoc(sources.getFileLoc(location));
  if (presumed.isInvalid()) return;
  diagnostic.file = display_path(presumed.getFilename());
  diagnostic.line = presumed.getLine();
  diagnostic.column = presumed.getColumn();
  unsigned line_offset = 0;
  diagnostic.source_line = text_of_line(*place, sources, line_offset);
  diagnostic.marker = blank_like(diagnostic.source_line);
  diagnostic.marker.resize(std::max<size_t>(diagnostic.marker.size(), 1), ' ');
  if (info) mark_ranges(*info, sources, options, *place, line_offset, diagnostic.marker);
  size_t caret = place->offset - line_offset;
  if (caret >= kMaxLineBytes) return;
  if (caret >= diagnostic.marker.size()) diagnostic.marker.resize(caret + 1, ' ');
  diagnostic.marker[caret] = '^';
  diagnostic.marker.erase(diagnostic.marker.find_last_not_of(" \t") + 1);
}

Diagnostic describe_brace(const UnmatchedBrace& brace, const clang::SourceManager& sources,
                          const clang::LangOptions& options) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::kError;
  diagnostic.message = brace.opens ? "'{' is not closed" : "'}' closes nothing";
  fill_place(brace.location, sources, nullptr, options, diagnostic);
  return diagnostic;
}

// Not by the '<' alone: users' files are called "<stdin>" and the like, too.
bool is_in_library(const Diagnostic& diagnostic) {
  std::string_view name = diagnostic.file;
  if (!name.starts_with('<') || !name.ends_with('>')) return false;
  name = name.substr(1, name.size() - 2);
  return std::ranges::any_of(standard_library_files(),
                             [&](const auto& file) { return file.path == name; });
}

bool is_same_message(const Diagnostic& a, const Diagnostic& b) {
  return a.message == b.message && a.file == b.file && a.line == b.line && a.column == b.column;
}

// Whether a note says something to people who do not know how the library is written.
bool is_useful(const Diagnostic& note) {
  constexpr std::string_view kAboutLibrary[] = {
      "candidate template ignored", "candidate constructor",
      "explicit constructor is not a candidate", "passing argument to parameter"};
  const bool is_of_library =
      is_in_library(note) &&
      (note.message.ends_with("declared here") || note.message == "candidate function" ||
       note.message.find("'this' object is in") != std::string::npos ||
       std::ranges::any_of(
           kAboutLibrary, [&](std::string_view begin) { return note.message.starts_with(begin); }));
  const bool is_about_copies = note.message.find("(the implicit copy") != std::string::npos ||
                               note.message.find("(the implicit move") != std::string::npos;
  return !has_internal_names(note.message) && !is_of_library && !is_about_copies;
}

// The lines of our headers tell nothing.
void hide_library_place(Diagnostic& diagnostic) {
  if (!is_in_library(diagnostic)) return;
  diagnostic.file.clear();
  diagnostic.line = diagnostic.column = 0;
  diagnostic.source_line.clear();
  diagnostic.marker.clear();
}

// Nobody reads more, and the expressions that look for words in it are recursive.
std::string readable_part(llvm::StringRef message) {
  if (message.size() <= kMaxMessageBytes) return message.str();
  size_t end = kMaxMessageBytes;
  while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0) == 0x80) --end;  // of UTF-8
  return message.take_front(end).str() + "…";
}

// `x + bias`: who writes so has not thought of Metal's type of that name, but of a value of the
// program's own. `note` says where the type is declared.
void undeclare_library_type(Diagnostic& diagnostic, const Diagnostic& note) {
  constexpr std::string_view kEnd = " does not refer to a value";
  if (!diagnostic.message.ends_with(kEnd) || !is_in_library(note)) return;
  diagnostic.message.resize(diagnostic.message.size() - kEnd.size());
  diagnostic.message.insert(0, "use of undeclared identifier ");
}

// Many overloads of one function of the library: none of them is the one that was meant.
void remove_overload_lists(std::vector<Diagnostic>& notes) {
  constexpr size_t kMaxOverloads = 2;
  auto is_of_library = [](const Diagnostic& note) { return note.line == 0; };
  if (static_cast<size_t>(std::ranges::count_if(notes, is_of_library)) > kMaxOverloads) {
    std::erase_if(notes, is_of_library);
  }
}

// An error inside of the library is one of the user's line that led there, with what the library
// has to say.
void move_to(const Diagnostic& place, Diagnostic& diagnostic) {
  diagnostic.file = place.file;
  diagnostic.line = place.line;
  diagnostic.column = place.column;
  diagnostic.source_line = place.source_line;
  diagnostic.marker = place.marker;
  constexpr std::string_view kAssertion = "static assertion failed";
  const size_t text = diagnostic.message.rfind("': ");
  if (diagnostic.message.starts_with(kAssertion) && text != std::string::npos) {
    diagnostic.message.erase(0, text + 3);
  }
}

// In an expression that the token pass rewrites.
bool is_missing_bracket(const Diagnostic& diagnostic) {
  bool is_missing = diagnostic.message == "expected ':'" || diagnostic.message == "expected ')'";
  return is_missing && diagnostic.source_line.find('?') != std::string::npos;
}

}  // namespace

void DiagnosticCollector::BeginSourceFile(const clang::LangOptions& options,
                                          const clang::Preprocessor*) {
  options_ = &options;
}

void DiagnosticCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                           const clang::Diagnostic& info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  if (auto cast = find_refused_half_cast(info)) refused_half_casts_.push_back(*cast);
  if (auto name = find_bound_temporary(info)) bound_temporaries_.push_back(*name);
  if (auto braces = find_refused_braces(info)) refused_braces_.push_back(std::move(*braces));
  if (auto function = find_refused_function(info)) refused_functions_.push_back(*function);
  refused_operands_.look_at(info);
  llvm::SmallString<256> raw;
  info.FormatDiagnostic(raw);
  Diagnostic diagnostic;
  diagnostic.message = in_metal_words(readable_part(raw));
  const std::string feature = refused_uses_.look_at(level, info, diagnostic.message);
  if (!feature.empty() && level >= clang::DiagnosticsEngine::Error) diagnostic.message = feature;
  static const clang::LangOptions kNoOptions;
  const clang::LangOptions& options = options_ ? *options_ : kNoOptions;
  if (info.hasSourceManager()) {
    fill_place(info.getLocation(), info.getSourceManager(), &info, options, diagnostic);
  }
  if (level == clang::DiagnosticsEngine::Note) {
    // Where our own library says that it does not have something.
    bool is_inner = info.getID() == clang::diag::note_availability_specified_here;
    if (note_is_dropped_ || is_inner || diagnostics_.empty()) return;
    if (is_in_library(diagnostics_.back())) {
      if (!is_in_library(diagnostic)) move_to(diagnostic, diagnostics_.back());
      return;
    }
    undeclare_library_type(diagnostics_.back(), diagnostic);
    if (!is_useful(diagnostic)) return;
    hide_library_place(diagnostic);
    diagnostic.severity = Severity::kNote;
    std::vector<Diagnostic>& notes = diagnostics_.back().notes;
    const bool is_repeated = std::ranges::any_of(
        notes, [&](const Diagnostic& note) { return is_same_message(note, diagnostic); });
    if (!is_repeated && notes.size() < kMaxNotes) notes.push_back(std::move(diagnostic));
    return;
  }
  note_is_dropped_ =
      level < clang::DiagnosticsEngine::Warning || diagnostics_.size() >= kMaxDiagnostics;
  if (note_is_dropped_) return;
  diagnostic.severity =
      level >= clang::DiagnosticsEngine::Error ? Severity::kError : Severity::kWarning;
  correct_suggestion(diagnostic);
  if (is_behind_body(diagnostic) && info.hasSourceManager() && !unmatched_brace_) {
    const clang::SourceManager& sources = info.getSourceManager();
    if (const auto brace = find_unmatched_brace(sources, options)) {
      unmatched_brace_ = describe_brace(*brace, sources, options);
    }
  }
  diagnostics_.push_back(std::move(diagnostic));
}

std::vector<Diagnostic> DiagnosticCollector::take() {
  // The token pass names an operand twice: its errors come twice, and clang trips over the text of
  // one that an earlier error spoilt.
  // Where it took an unknown name for a word such as `for`, it then misses an expression.
  using Place = std::tuple<std::string, uint32_t, uint32_t>;
  std::set<std::pair<Place, std::string>> seen;
  std::set<Place> errors;
  bool has_error = false;
  // Of several errors inside of one function of the library, clang says for the first how it got
  // there.
  if (std::ranges::any_of(diagnostics_, [](const Diagnostic& diagnostic) {
        return diagnostic.severity == Severity::kError && !is_in_library(diagnostic);
      })) {
    std::erase_if(diagnostics_, is_in_library);
  }
  for (Diagnostic& diagnostic : diagnostics_) {
    hide_library_place(diagnostic);
    remove_overload_lists(diagnostic.notes);
  }
  const bool has_own_words = std::ranges::any_of(diagnostics_, [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::kError && !has_internal_names(diagnostic.message);
  });
  std::erase_if(diagnostics_, [&](const Diagnostic& diagnostic) {
    const Place place(diagnostic.file, diagnostic.line, diagnostic.column);
    bool is_repeated = !seen.insert({place, diagnostic.message}).second;
    bool is_echo = has_error && is_missing_bracket(diagnostic);
    is_echo |= diagnostic.message == "expected expression" && errors.contains(place);
    // An earlier error has spoilt what MSL was mapped to.
    is_echo |= has_own_words && has_internal_names(diagnostic.message);
    if (diagnostic.severity == Severity::kError) errors.insert(place);
    has_error |= diagnostic.severity == Severity::kError;
    return is_repeated || is_echo;
  });
  if (unmatched_brace_) {
    std::erase_if(diagnostics_, is_behind_body);
    diagnostics_.insert(diagnostics_.begin(), *std::move(unmatched_brace_));
  }
  for (Diagnostic& diagnostic : diagnostics_) diagnostic.fix = suggest_fix(diagnostic);
  remove_echoes_of_braces(diagnostics_);
  return std::move(diagnostics_);
}

}  // namespace assay::msl
