// The traces that a page shows, by number. More may come while a launched program runs.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/document.h"

namespace assay::cli {

// Thread-safe: one reader at a time uses a document.
class TraceShelf {
 public:
  explicit TraceShelf(bool is_live) : is_live_(is_live) {}

  // The error is that of the document, such as a file that is no trace.
  Result<void> add(const std::string& path);
  // The launched program has ended; no more come.
  void set_ended(int exit_code);

  size_t count() const;
  // JSON: names, and whether more may come.
  std::string list() const;
  // A piece of a trace (analysis/page/page_sections.h), or "compare/N": the tables of the
  // comparison with trace N.
  Result<std::string> load_section(size_t trace, std::string_view name) const;
  // Names of further pieces that are small enough to be part of a file: sources, and contents of
  // buffers and constants as far as they fit.
  Result<std::vector<std::string>> small_sections(size_t trace) const;

 private:
  struct Entry {
    explicit Entry(trace::Document opened) : document(std::move(opened)) {}
    trace::Document document;
    std::mutex mutex;
  };

  Entry* find(size_t trace) const;
  static Result<std::string> compare(Entry& before, Entry& after);

  const bool is_live_;
  mutable std::mutex mutex_;  // of what is below; entries never move
  std::vector<std::unique_ptr<Entry>> entries_;
  bool has_ended_ = false;
  int exit_code_ = 0;
};

}  // namespace assay::cli
