// See suppressions.h.
#include "sanitizer/suppressions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/file_bytes.h"
#include "base/parse_number.h"
#include "sanitizer/rules.h"

namespace assay::sanitizer {
namespace {

std::string_view trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t colon = text.find(':');
    parts.push_back(trim(text.substr(0, colon)));
    if (colon == std::string_view::npos) return parts;
    text.remove_prefix(colon + 1);
  }
}

Result<Suppressions::Entry> parse_entry(std::string_view text) {
  const std::vector<std::string_view> parts = split(text);
  if (parts.size() > 4 || std::ranges::find(parts, "") != parts.end()) {
    return Error{
        fmt::format("'{}' is not a suppression; write rule[:kernel[:file[:line]]], with * "
                    "for any text",
                    text)};
  }
  const auto is_meant = [&](const Rule& rule) { return matches_pattern(parts[0], rule.id); };
  if (std::ranges::none_of(rules(), is_meant)) {
    std::vector<std::string_view> names;
    for (const Rule& rule : rules()) names.push_back(rule.id);
    return Error{
        fmt::format("no rule is called '{}'; there are {}", parts[0], fmt::join(names, ", "))};
  }
  Suppressions::Entry entry{.rule = std::string(parts[0]),
                            .kernel = std::string(parts.size() > 1 ? parts[1] : "*"),
                            .file = std::string(parts.size() > 2 ? parts[2] : "*"),
                            .reason = {},
                            .source = {}};
  if (parts.size() > 3 && parts[3] != "*") {
    const std::optional<uint32_t> line = parse_number<uint32_t>(parts[3]);
    if (!line || *line == 0) {
      return Error{fmt::format("'{}' is not a line; write a number from 1, or *", parts[3])};
    }
    entry.line = *line;
  }
  return entry;
}

// A path, or its last parts.
bool matches_path(std::string_view pattern, std::string_view path) {
  if (matches_pattern(pattern, path)) return true;
  for (size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', slash + 1)) {
    if (matches_pattern(pattern, path.substr(slash + 1))) return true;
  }
  return false;
}

bool matches_place(const Suppressions::Entry& entry, std::string_view file, uint32_t line) {
  return matches_path(entry.file, file) && (entry.line == 0 || entry.line == line);
}

bool matches(const Suppressions::Entry& entry, const Finding& finding) {
  const SourcePlace& place = finding.place;
  return matches_pattern(entry.rule, finding.rule) &&
         matches_pattern(entry.kernel, finding.kernel) &&
         (matches_place(entry, place.file, place.line) ||
          (place.written && matches_place(entry, place.written->file, place.written->line)));
}

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view text) {
  // Where the last * was, and how far its text reaches.
  size_t star = std::string_view::npos, reach = 0;
  size_t p = 0, t = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      reach = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++reach;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

Result<Suppressions> Suppressions::parse(std::string_view text, std::string_view name) {
  Suppressions result;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t comment = std::min(line.find('#'), line.size());
    const std::string_view body = trim(line.substr(0, comment));
    if (body.empty()) continue;
    Result<Entry> entry = parse_entry(body);
    if (!entry) return Error{fmt::format("{}:{}: {}", name, number, entry.error().message)};
    entry->reason = trim(line.substr(std::min(comment + 1, line.size())));
    entry->source = fmt::format("{}:{}: {}", name, number, body);
    result.entries_.push_back(std::move(*entry));
  }
  return result;
}

Result<Suppressions> Suppressions::load(const std::string& path) {
  const std::optional<std::string> text = base::read_file(path);
  if (!text) return Error{fmt::format("cannot read the suppressions in {}; check the path", path)};
  return parse(*text, path);
}

bool Suppressions::suppresses(const Finding& finding) {
  for (Entry& entry : entries_) {
    if (!matches(entry, finding)) continue;
    ++entry.uses;
    return true;
  }
  return false;
}

std::vector<std::string> Suppressions::unused() const {
  std::vector<std::string> result;
  for (const Entry& entry : entries_) {
    if (entry.uses == 0) result.push_back(entry.source);
  }
  return result;
}

}  // namespace assay::sanitizer
