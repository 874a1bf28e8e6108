// See document.h.
#include "trace/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

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
  return database;
}

Error no_document(const std::string& path, const Error& reason) {
  return Error{fmt::format("'{}' is no trace document: {}", path, reason.message)};
}

// A table's statement without comments and with single spaces: words may change, columns not.
std::string columns_of(std::string_view sql) {
  std::string text;
  for (size_t i = 0; i < sql.size(); ++i) {
    if (sql.substr(i).starts_with("--")) i = std::min(sql.find('\n', i), sql.size() - 1);
    const bool is_space = sql[i] == ' ' || sql[i] == '\n' || sql[i] == '\t' || sql[i] == '\r';
    if (!is_space) text += sql[i];
    if (is_space && !text.empty() && text.back() != ' ') text += ' ';
  }
  return text;
}

using TableTexts = std::map<std::string, std::string>;  // statements by name

Result<TableTexts> load_tables(const Database& database) {
  Result<Statement> rows =
      database.prepare("SELECT name, sql FROM sqlite_master WHERE type='table'");
  if (!rows) return rows.error();
  TableTexts tables;
  while (true) {
    const Result<bool> row = rows->step();
    if (!row) return row.error();
    if (!*row) return tables;
    tables.emplace(rows->text(0), rows->text(1));
  }
}

Result<TableTexts> load_expected_tables() {
  Result<Database> database = Database::open_in_memory();
  if (!database) return database.error();
  if (Result<void> made = database->execute(std::string(schema_sql())); !made) return made.error();
  return load_tables(*database);
}

// Came later than the version of the format.
constexpr std::string_view kOptionalTable = "findings";

// Views or other columns under the names of our tables would make queries do something else.
Result<void> check_tables(const Database& database) {
  static const Result<TableTexts> expected = load_expected_tables();
  if (!expected) return expected.error();
  const Result<TableTexts> tables = load_tables(database);
  if (!tables) return tables.error();
  for (const auto& [name, text] : *expected) {
    const auto table = tables->find(name);
    if (name == kOptionalTable && table == tables->end()) continue;
    const bool is_right = table != tables->end() &&
                          (table->second == text || columns_of(table->second) == columns_of(text));
    if (!is_right) {
      return Error{fmt::format("table '{}' is missing or not as it should be", name)};
    }
  }
  return {};
}

// Stored bytes that are in more than one row; nothing when one row has them all. They are never
// more than the `size` bytes they stand for.
Result<std::vector<std::byte>> join_parts(const Database& database, Id content,
                                          std::span<const std::byte> first, int64_t size) {
  std::vector<std::byte> joined;
  Result<Statement> parts =
      database.prepare("SELECT data FROM content_parts WHERE content=? ORDER BY part");
  if (!parts) return parts.error();
  parts->bind(content);
  while (true) {
    const Result<bool> row = parts->step();
    if (!row) return row.error();
    if (!*row) return joined;
    if (joined.empty()) joined.assign(first.begin(), first.end());
    const std::span<const std::byte> piece = parts->bytes(0);
    if (joined.size() + piece.size() > static_cast<uint64_t>(std::max<int64_t>(size, 0))) {
      return Error{fmt::format("content {} has more pieces than its {} bytes need", content, size)};
    }
    joined.insert(joined.end(), piece.begin(), piece.end());
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
  if (std::filesystem::file_size(path, failure) == 0)
    return Error{fmt::format("'{}' is empty", path)};
  Result<Database> database = open_file(path);
  if (!database) return no_document(path, database.error());
  return adopt(path, std::move(*database));
}

Result<Document> Document::adopt(const std::string& path, Database database) {
  if (Result<void> set = database.execute("PRAGMA query_only=ON; PRAGMA cell_size_check=ON");
      !set) {
    return no_document(path, set.error());
  }
  database.set_time_limit(0);
  const Result<int64_t> id = read_number(database, "PRAGMA application_id");
  if (!id) return no_document(path, id.error());
  if (*id != kApplicationId) {
    return Error{fmt::format("'{}' is a SQLite database, but no trace document", path)};
  }
  const Result<int64_t> version = read_number(database, "PRAGMA user_version");
  if (!version) return Error{fmt::format("'{}': {}", path, version.error().message)};
  if (*version != kSchemaVersion) {
    return Error{fmt::format("'{}' has version {} of the format, and this assay reads {}; {}", path,
                             *version, kSchemaVersion,
                             *version < kSchemaVersion
                                 ? "capture it again, or use the assay that wrote it"
                                 : "use the assay that wrote it or a newer one")};
  }
  if (Result<void> checked = check_tables(database); !checked) {
    return Error{fmt::format("'{}' is damaged: {}", path, checked.error().message)};
  }
  return Document(path, std::move(database));
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

bool Document::has_findings() const {
  Result<Statement> statement =
      database_.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'findings'");
  if (!statement) return false;
  const Result<bool> row = statement->step();
  return row && *row;
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
  const int64_t size = statement->integer(1);
  Result<std::vector<std::byte>> joined = join_parts(database_, id, statement->bytes(3), size);
  if (!joined) return error(joined.error().message);
  const std::span<const std::byte> stored =
      joined->empty() ? statement->bytes(3) : std::span<const std::byte>(*joined);
  Result<std::vector<std::byte>> bytes =
      decode_content(statement->integer(2), stored, size, max_bytes);
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
      {"content_parts", "content NOT IN (SELECT id FROM contents)"},
      {"kernels", "source IS NOT NULL AND source NOT IN (SELECT id FROM contents)"},
      {"buffers", "first_content IS NOT NULL AND first_content NOT IN (SELECT id FROM contents)"},
      {"buffers", "last_content IS NOT NULL AND last_content NOT IN (SELECT id FROM contents)"},
      {"buffers", "last_writer IS NOT NULL AND last_writer NOT IN (SELECT id FROM commands)"},
      {"buffers", "label NOT IN (SELECT id FROM texts)"},
      {"command_buffers", "queue NOT IN (SELECT id FROM queues)"},
      {"command_buffers", "label NOT IN (SELECT id FROM texts)"},
      {"command_buffers", "thread NOT IN (SELECT id FROM threads)"},
      {"queues", "process NOT IN (SELECT id FROM processes)"},
      {"threads", "process NOT IN (SELECT id FROM processes)"},
      {"spans", "thread NOT IN (SELECT id FROM threads)"},
      {"spans", "label <> 0 AND label NOT IN (SELECT id FROM texts)"},
      {"spans", "site <> 0 AND site NOT IN (SELECT id FROM texts)"},
      {"dependencies", "command NOT IN (SELECT id FROM commands)"},
      {"dependencies", "needs NOT IN (SELECT id FROM commands)"},
      {"dependencies", "needs >= command"},
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
