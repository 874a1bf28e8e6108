// What the MSL compiler has to say about a source: messages in Metal's words with the user's own
// file, line and column. Plain data; render() turns it into text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::msl {

enum class Severity : uint8_t { kNote, kWarning, kError };

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string file;
  uint32_t line = 0;    // from 1; 0 when the message belongs to no place
  uint32_t column = 0;  // from 1, in bytes
  std::string message;
  std::string source_line;  // text of the line, without its end
  std::string marker;       // caret and ranges under source_line
  std::string fix;          // how to fix it; empty when the message says it all
  std::vector<Diagnostic> notes;
};

// "file:3:5: error: …", the line, the caret, "fix: …", then the notes.
std::string render(const Diagnostic& diagnostic);
std::string render(const std::vector<Diagnostic>& diagnostics);

bool has_errors(const std::vector<Diagnostic>& diagnostics);

}  // namespace assay::msl
