// See source_text.h.
#include "sanitizer/source_text.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <fstream>
#include <sstream>

#include "base/passage.h"

namespace assay::sanitizer {
namespace {

bool is_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

std::string read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

size_t find_whole(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool is_whole =
        (at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]));
    if (is_whole) return at;
  }
  return std::string::npos;
}

}  // namespace

// Generated sources name their parts by #line directives.
std::optional<std::string_view> SourceText::find_part(const std::string& file) const {
  if (origin_ == nullptr || origin_->source == nullptr) return std::nullopt;
  const std::string_view source = *origin_->source;
  if (file == origin_->file) return source;
  const std::string directive = fmt::format("#line 1 \"{}\"\n", file);
  const size_t found = source.find(directive);
  if (found == std::string_view::npos) return std::nullopt;
  const std::string_view part = source.substr(found + directive.size());
  return part.substr(0, part.find("\n#line "));
}

const std::string& SourceText::text_of(const std::string& file) {
  auto [kept, is_new] = files_.try_emplace(file);
  if (is_new) {
    const std::optional<std::string_view> part = find_part(file);
    kept->second = part ? std::string(*part) : read_file(file);
  }
  return kept->second;
}

std::string SourceText::line(const std::string& file, uint32_t number) {
  if (number == 0) return {};
  const std::string* text = &text_of(file);
  size_t begin = 0;
  for (uint32_t at = 1; at < number; ++at) {
    begin = text->find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  const size_t end = std::min(text->find('\n', begin), text->size());
  std::string found = text->substr(begin, end - begin);
  if (found.ends_with('\r')) found.pop_back();
  return found;
}

// Kernels of metal_kernel have a source and a header that are texts of the program.
std::optional<ProgramPlace> SourceText::find_written(const kernel::SitePlace& place) {
  if (place.file != "source" && place.file != "header") return std::nullopt;
  const std::optional<std::string_view> part = find_part(place.file);
  const size_t colon = call_site_.rfind(':');
  uint32_t called = 0;
  if (!part || place.line == 0 || colon == std::string::npos) return std::nullopt;
  std::from_chars(call_site_.data() + colon + 1, call_site_.data() + call_site_.size(), called);
  const std::string program = call_site_.substr(0, colon);
  const auto found =
      base::find_in_passage(text_of(program), *part, {place.line, place.column}, called);
  if (!found) return std::nullopt;
  return ProgramPlace{program, found->line, found->column};
}

SourcePlace SourceText::place(const kernel::SitePlace& place) {
  return {place.file, place.line, place.column, line(place.file, place.line), find_written(place)};
}

SourcePlace SourceText::find_word(const kernel::SitePlace& from, const std::string& word) {
  // A parameter is not far behind the beginning of its function.
  constexpr uint32_t kMaxLines = 200;
  for (uint32_t number = from.line; !word.empty() && number < from.line + kMaxLines; ++number) {
    const std::string text = line(from.file, number);
    const size_t at = find_whole(text, word);
    if (at != std::string::npos) return place({from.file, number, static_cast<uint32_t>(at + 1)});
  }
  return place(from);
}

bool SourceText::has_word(const std::string& file, const std::string& word) {
  return !word.empty() && find_whole(text_of(file), word) != std::string::npos;
}

DeclaredArray SourceText::declaration_at(const kernel::SitePlace& place) {
  if (place.column == 0) return {};
  return read_declaration(
      line(place.file, place.line), place.column - 1,
      [&](std::string_view name) { return find_constant(text_of(place.file), name); });
}

std::string SourceText::name_at(const kernel::SitePlace& place) {
  const std::string text = line(place.file, place.line);
  if (place.column == 0 || place.column > text.size()) return {};
  size_t begin = place.column - 1;
  if (!is_word(text[begin])) return {};
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  size_t end = begin;
  while (end < text.size() && is_word(text[end])) ++end;
  if (std::isdigit(static_cast<unsigned char>(text[begin])) != 0) return {};
  return text.substr(begin, end - begin);
}

}  // namespace assay::sanitizer
