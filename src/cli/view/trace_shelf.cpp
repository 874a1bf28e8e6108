// See trace_shelf.h.
#include "cli/view/trace_shelf.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "analysis/diff.h"
#include "analysis/json_rows.h"
#include "analysis/page/page_sections.h"
#include "analysis/page/section_writer.h"

namespace assay::cli {

Result<void> TraceShelf::add(const std::string& path) {
  Result<trace::Document> document = trace::Document::open(path);
  if (!document) return document.error();
  const std::lock_guard lock(mutex_);
  entries_.push_back(std::make_unique<Entry>(std::move(*document)));
  return {};
}

void TraceShelf::set_ended(int exit_code) {
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  exit_code_ = exit_code;
}

size_t TraceShelf::count() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

std::string TraceShelf::list() const {
  const std::lock_guard lock(mutex_);
  nlohmann::json list = {{"live", is_live_ && !has_ended_}, {"launched", is_live_}};
  if (has_ended_) list["exitCode"] = exit_code_;
  list["traces"] = nlohmann::json::array();
  for (const auto& entry : entries_) {
    list["traces"].push_back(std::filesystem::path(entry->document.path()).filename().string());
  }
  return list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

TraceShelf::Entry* TraceShelf::find(size_t trace) const {
  const std::lock_guard lock(mutex_);
  return trace < entries_.size() ? entries_[trace].get() : nullptr;
}

Result<std::string> TraceShelf::compare(Entry& before, Entry& after) {
  const std::scoped_lock lock(before.mutex, after.mutex);
  std::string text;
  analysis::Output output([&](std::string_view piece) -> Result<void> {
    text += piece;
    return {};
  });
  analysis::JsonRows rows(output);
  const Result<void> compared =
      analysis::run_diff(before.document, after.document, {.limit = 500}, rows);
  if (!compared) return compared.error();
  rows.close();
  if (Result<void> done = output.finish(); !done) return done.error();
  analysis::SectionWriter section;
  section.tables["tables"] = nlohmann::json::parse(text, nullptr, false);
  return section.finish();
}

Result<std::vector<std::string>> TraceShelf::small_sections(size_t trace) const {
  Entry* entry = find(trace);
  if (entry == nullptr) return Error{fmt::format("there is no trace {}", trace)};
  const std::lock_guard lock(entry->mutex);
  return analysis::list_small_sections(entry->document);
}

Result<std::string> TraceShelf::load_section(size_t trace, std::string_view name) const {
  Entry* entry = find(trace);
  if (entry == nullptr) return Error{fmt::format("there is no trace {}", trace)};
  constexpr std::string_view kCompare = "compare/";
  if (name.starts_with(kCompare)) {
    name.remove_prefix(kCompare.size());
    size_t other = 0;
    const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), other);
    Entry* after =
        failure == std::errc() && end == name.data() + name.size() ? find(other) : nullptr;
    if (after == nullptr || after == entry) return Error{"there is no such trace to compare with"};
    return compare(*entry, *after);
  }
  const std::lock_guard lock(entry->mutex);
  return analysis::load_page_section(entry->document, name);
}

}  // namespace assay::cli
