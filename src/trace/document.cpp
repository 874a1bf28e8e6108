// See document.h.
#include "trace/document.h"

#include <fmt/format.h>

#include <filesystem>

#include "trace/content_encoding.h"
#include "trace/schema.h"
#include "trace/stored_hash.h"

namespace assay::trace {
namespace {

Result<int64_t> read_number(const Database& database, std::string_view sql) {
  Result<Statement> statement = database.prepare(sql);
  if (!statement) return statement.error();
  const Result<bool> row = statement->step();
  if (!row) return row.error();
  return *row ? statement->integer(0) : 0;
}

// The file as a database. One whose program died in the middle of a commit has to be repaired,
// which needs the right to write; nothing else is ever written.
Result<Database> open_file(const std::string& path) {
  Result<Database> database = Database::open(path, OpenMode::kWrite);
  if (!database) database = Database::open(path, OpenMode::kRead);
  if (!database) return database;
  if (Result<void> set = database->execute("PRAGMA query_only=ON; PRAGMA cell_size_check=ON");
      !set) {
    return set.error();
  }
  return database;
}

// Views or other columns under the names of our tables would make queries do something else.
Result<void> check_tables(const Database& database) {
  Result<Database> expected = Database::open(":memory:", OpenMode::kWrite);
  if (!expected) return expected.error();
  if (Result<void> made = expected->execute(std::string(schema_sql())); !made) return made;
  Result<Statement> tables =
      expected->prepare("SELECT name, sql FROM sqlite_master WHERE type='table'");
  if (!tables) return tables.error();
  while (true) {
    const Result<bool> row = tables->step();
    if (!row) return row.error();
    if (!*row) return {};
    Result<Statement> same =
        database.prepare("SELECT 1 FROM sqlite_master WHERE type='table' AND name=? AND sql=?");
    if (!same) return same.error();
    const Result<bool> found = same->bind(tables->text(0)).bind(tables->text(1)).step();
    if (!found) return found.error();
    if (!*found)
      return Error{fmt::format("table '{}' is missing or not as it should be", tables->text(0))};
  }
}

}  // namespace

Result<Document> Document::open(const std::string& path) {
  std::error_code failure;
  const auto kind = std::filesystem::status(path, failure).type();
  if (kind == std::filesystem::file_type::not_found) {
    return Error{fmt::format("'{}' does not exist", path)};
  }
  if (kind != std::filesystem::file_type::regular) {
    return Error{fmt::format("'{}' is no file; a trace document is one file", path)};
  }
  Result<Database> database = open_file(path);
  if (!database) {
    return Error{fmt::format("'{}' is no trace document: {}", path, database.error().message)};
  }
  database->set_time_limit(0);
  const Result<int64_t> id = read_number(*database, "PRAGMA application_id");
  if (!id) return Error{fmt::format("'{}' is no trace document: {}", path, id.error().message)};
  if (*id != kApplicationId) {
    return Error{fmt::format("'{}' is a SQLite database, but no trace document", path)};
  }
  const Result<int64_t> version = read_number(*database, "PRAGMA user_version");
  if (!version) return Error{fmt::format("'{}': {}", path, version.error().message)};
  if (*version != kSchemaVersion) {
    return Error{
        fmt::format("'{}' has version {} of the format, and this assay reads {}; use the "
                    "assay that wrote it or a newer one",
                    path, *version, kSchemaVersion)};
  }
  if (Result<void> checked = check_tables(*database); !checked) {
    return Error{fmt::format("'{}' is damaged: {}", path, checked.error().message)};
  }
  return Document(path, std::move(*database));
}

Error Document::error(std::string_view what) const {
  return Error{fmt::format("'{}' is damaged: {}", path_, what)};
}

Result<Statement> Document::prepare(std::string_view sql) const {
  Result<Statement> statement = database_.prepare(sql);
  if (!statement) return error(statement.error().message);
  return statement;
}

std::optional<std::string> Document::fact(std::string_view name) const {
  Result<Statement> statement = database_.prepare("SELECT value FROM facts WHERE name=?");
  if (!statement) return std::nullopt;
  const Result<bool> row = statement->bind(name).step();
  if (!row || !*row) return std::nullopt;
  return std::string(statement->text(0));
}

Result<std::string> Document::text(Id id) const {
  Result<Statement> statement = prepare("SELECT text FROM texts WHERE id=?");
  if (!statement) return statement.error();
  const Result<bool> row = statement->bind(id).step();
  if (!row) return error(row.error().message);
  if (!*row) return error(fmt::format("text {} is missing", id));
  return std::string(statement->text(0));
}

Result<Document::Content> Document::content(Id id, int64_t max_bytes) const {
  Result<Statement> statement =
      prepare("SELECT hash, bytes, encoding, data FROM contents WHERE id=?");
  if (!statement) return statement.error();
  const Result<bool> row = statement->bind(id).step();
  if (!row) return error(row.error().message);
  if (!*row) return error(fmt::format("content {} is missing", id));
  Result<std::vector<std::byte>> bytes =
      decode_content(statement->integer(2), statement->bytes(3), statement->integer(1), max_bytes);
  if (!bytes) return error(bytes.error().message);
  const std::optional<base::Hash128> hash = load_hash(statement->bytes(0));
  if (!hash || *hash != base::hash_content(*bytes)) {
    return error(fmt::format("content {} does not have the hash it is stored under", id));
  }
  return Content{*hash, std::move(*bytes)};
}

Result<void> Document::check() const {
  Result<Statement> integrity = prepare("PRAGMA integrity_check");
  if (!integrity) return integrity.error();
  const Result<bool> row = integrity->step();
  if (!row) return error(row.error().message);
  if (!*row || integrity->text(0) != "ok") return error(*row ? integrity->text(0) : "no answer");
  constexpr const char* kReferences[][2] = {
      {"commands", "label NOT IN (SELECT id FROM texts)"},
      {"commands", "site NOT IN (SELECT id FROM texts)"},
      {"commands", "command_buffer NOT IN (SELECT id FROM command_buffers)"},
      {"commands", "kernel IS NOT NULL AND kernel NOT IN (SELECT id FROM kernels)"},
      {"commands", "launch IS NOT NULL AND launch NOT IN (SELECT id FROM launches)"},
      {"bindings", "buffer IS NOT NULL AND buffer NOT IN (SELECT id FROM buffers)"},
      {"bindings", "content IS NOT NULL AND content NOT IN (SELECT id FROM contents)"},
      {"bindings", "array IS NOT NULL AND array NOT IN (SELECT id FROM arrays)"},
      {"bindings", "command NOT IN (SELECT id FROM commands)"},
      {"kernels", "source IS NOT NULL AND source NOT IN (SELECT id FROM contents)"},
      {"buffers", "first_content IS NOT NULL AND first_content NOT IN (SELECT id FROM contents)"},
      {"buffers", "last_content IS NOT NULL AND last_content NOT IN (SELECT id FROM contents)"},
      {"command_buffers", "queue NOT IN (SELECT id FROM queues)"},
  };
  for (const auto& [table, condition] : kReferences) {
    const Result<int64_t> bad =
        read_number(database_, fmt::format("SELECT count(*) FROM {} WHERE {}", table, condition));
    if (!bad) return error(bad.error().message);
    if (*bad != 0) return error(fmt::format("{} rows of '{}' have {}", *bad, table, condition));
  }
  return {};
}

}  // namespace assay::trace
