// Reads a trace document and trusts nothing in it: a damaged or hostile file gives errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/database.h"
#include "trace/records.h"

namespace assay::trace {

// Used by one thread at a time. Queries read from the file as they go, so that documents may be
// larger than memory.
class Document {
 public:
  // The error says why the file is no trace that this version can read. A document whose program
  // died opens like any other.
  static Result<Document> open(const std::string& path);
  // The same for a database that is open already; errors call it `path`.
  static Result<Document> adopt(const std::string& path, Database database);

  const std::string& path() const { return path_; }
  // Also for queries of one's own; nothing can be written through it.
  Database& database() { return database_; }

  // An error of the query is an error of the document.
  Result<Statement> prepare(std::string_view sql) const;

  // See docs/trace-format.md for the names.
  std::optional<std::string> fact(std::string_view name) const;
  // True when the capture ended in an orderly way.
  // Whether there is the table, which came later than the version of the format.
  bool has_findings() const;
  bool is_complete() const { return fact("ended").has_value(); }

  struct Content {
    base::Hash128 hash;
    std::vector<std::byte> bytes;
  };
  static constexpr int64_t kMaxContentBytes = int64_t{1} << 36;
  // Decompressed and checked against its hash.
  Result<Content> content(Id id, int64_t max_bytes = kMaxContentBytes) const;
  Result<std::string> text(Id id) const;

  // SQLite's own check of the whole file, and that rows point to rows that exist; slow.
  Result<void> check() const;

  Error error(std::string_view what) const;

 private:
  Document(std::string path, Database database)
      : path_(std::move(path)), database_(std::move(database)) {}

  std::string path_;
  Database database_;
};

}  // namespace assay::trace
