// See source_text.h.
#include "sanitizer/source_text.h"

#include <cctype>
#include <fstream>
#include <sstream>

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

}  // namespace

std::string SourceText::line(const std::string& file, uint32_t number) {
  if (number == 0) return {};
  const std::string* text = nullptr;
  if (origin_ != nullptr && origin_->source != nullptr && file == origin_->file) {
    text = origin_->source.get();
  } else {
    auto [found, is_new] = files_.try_emplace(file);
    if (is_new) found->second = read_file(file);
    text = &found->second;
  }
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

SourcePlace SourceText::place(const kernel::SitePlace& place) {
  return {place.file, place.line, place.column, line(place.file, place.line)};
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
