// See merge.h. Ids of a part move behind those that are there already.
#include "trace/merge.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "trace/document.h"
#include "trace/document_file.h"

namespace assay::trace {
namespace {

// In front of the columns of a table that hold ids: the table whose ids they are.
constexpr const char* kCopies[] = {
    "INSERT INTO texts SELECT id + {texts}, text FROM part.texts",
    "INSERT INTO processes SELECT id + {processes}, pid, command_line, started FROM part.processes",
    "INSERT INTO threads SELECT id + {threads}, process + {processes}, name FROM part.threads",
    "INSERT INTO spans SELECT NULL, thread + {threads}, kind, started, ended, "
    "iif(label = 0, 0, label + {texts}), iif(site = 0, 0, site + {texts}) FROM part.spans",
    "INSERT INTO queues SELECT id + {queues}, label, process + {processes} FROM part.queues",
    "INSERT INTO kernels SELECT id + {kernels}, name, file, NULL, options, reflection FROM "
    "part.kernels",
    "INSERT INTO compilations SELECT NULL, kernel + {kernels}, ended, duration, from_cache FROM "
    "part.compilations",
    "INSERT INTO command_buffers SELECT id + {command_buffers}, queue + {queues}, label + {texts}, "
    "submitted, completed, error, thread + {threads} FROM part.command_buffers",
    "INSERT INTO launches SELECT id + {launches}, counts_threads, grid_x, grid_y, grid_z, group_x, "
    "group_y, group_z FROM part.launches",
    // Events of one process are nobody else's.
    "INSERT INTO commands SELECT id + {commands}, command_buffer + {command_buffers}, position, "
    "kind, started, ended, label + {texts}, site + {texts}, kernel + {kernels}, launch + "
    "{launches}, value, event + {commands}, product + {texts}, error, role, bytes_read, "
    "bytes_written FROM part.commands",
    "INSERT INTO dependencies SELECT command + {commands}, needs + {commands}, kind, buffer FROM "
    "part.dependencies",
    "INSERT INTO findings SELECT id + {findings}, command + {commands}, rule, severity, kernel, "
    "file, line, character, message, fix, site, occurrences FROM part.findings",
    "INSERT INTO notes SELECT NULL, at, command + {commands}, text FROM part.notes",
};
constexpr const char* kFirstOnly[] = {
    "INSERT INTO facts SELECT name, value FROM part.facts",
    "INSERT INTO measurements SELECT name, value, unit FROM part.measurements",
};
// The recording ended with its last process; one that died did not end in an orderly way.
constexpr const char* kLater =
    "UPDATE facts SET value = max(CAST(value AS INTEGER), coalesce((SELECT CAST(value AS INTEGER) "
    "FROM part.facts WHERE name = 'ended'), 0)) WHERE name = 'ended'";
constexpr const char* kNumbered[] = {"texts",    "processes", "threads",
                                     "queues",   "kernels",   "command_buffers",
                                     "launches", "commands",  "findings"};

Result<int64_t> largest_id(const Database& database, std::string_view table) {
  Result<Statement> statement =
      database.prepare(fmt::format("SELECT coalesce(max(id), 0) FROM main.{}", table));
  if (!statement) return statement.error();
  const Result<bool> row = statement->step();
  if (!row) return row.error();
  return statement->integer(0);
}

// The statement with the offsets of this part in it.
std::string place_offsets(std::string sql, const std::vector<int64_t>& offsets) {
  for (size_t i = 0; i < std::size(kNumbered); ++i) {
    const std::string mark = fmt::format("{{{}}}", kNumbered[i]);
    for (size_t at = sql.find(mark); at != std::string::npos; at = sql.find(mark, at)) {
      sql.replace(at, mark.size(), std::to_string(offsets[i]));
    }
  }
  return sql;
}

Result<void> attach(const Database& database, const std::string& path) {
  Result<Statement> statement = database.prepare("ATTACH ? AS part");
  if (!statement) return statement.error();
  return statement->bind(std::string_view(path)).run();
}

// What one process says about memory.
struct PartMemory {
  std::vector<MemoryRecord> rows;  // in the order of time
  int64_t ended = 0;
};

Result<PartMemory> load_memory(const Document& part) {
  PartMemory memory;
  Result<Statement> rows = part.prepare("SELECT at, active, cached FROM memory ORDER BY at, id");
  if (!rows) return rows.error();
  while (true) {
    const Result<bool> row = rows->step();
    if (!row) return row.error();
    if (!*row) break;
    memory.rows.push_back({rows->integer(0), rows->integer(1), rows->integer(2)});
  }
  Result<Statement> end = part.prepare(
      "SELECT coalesce((SELECT CAST(value AS INTEGER) FROM facts WHERE name = 'ended'), (SELECT "
      "max(ended) FROM commands), 0)");
  if (!end) return end.error();
  if (const Result<bool> row = end->step(); !row) return row.error();
  memory.ended = end->integer(0);
  return memory;
}

// Of all processes together: a change of one is a change of the sum, and a process that has ended
// uses none.
std::vector<MemoryRecord> add_up(const std::vector<PartMemory>& parts) {
  struct Change {
    int64_t at;
    size_t part;
    int64_t active, cached;
  };
  std::vector<Change> changes;
  int64_t end = 0;
  for (const PartMemory& part : parts) end = std::max(end, part.ended);
  for (size_t i = 0; i < parts.size(); ++i) {
    for (const MemoryRecord& row : parts[i].rows) {
      changes.push_back({row.at, i, row.active, row.cached});
    }
    if (parts[i].ended < end && !parts[i].rows.empty()) {
      changes.push_back({std::max(parts[i].ended, parts[i].rows.back().at), i, 0, 0});
    }
  }
  std::ranges::stable_sort(changes, {}, &Change::at);
  std::vector<MemoryRecord> present(parts.size()), sums;
  MemoryRecord sum;
  for (const Change& change : changes) {
    MemoryRecord& before = present[change.part];
    sum = {change.at, sum.active + change.active - before.active,
           sum.cached + change.cached - before.cached};
    before = {change.at, change.active, change.cached};
    sums.push_back(sum);
  }
  return sums;
}

Result<void> add_memory(Database& database, const std::vector<PartMemory>& parts) {
  Result<void> added = database.execute("BEGIN");
  Result<Statement> insert = database.prepare("INSERT INTO memory VALUES (NULL, ?, ?, ?)");
  if (!insert) return insert.error();
  for (const MemoryRecord& row : add_up(parts)) {
    if (added) added = insert->bind(row.at).bind(row.active).bind(row.cached).run();
  }
  return added ? database.execute("COMMIT") : added;
}

Result<void> add_part(Database& database, const std::string& path, bool is_first) {
  if (Result<void> attached = attach(database, path); !attached) return attached;
  std::vector<int64_t> offsets;
  for (const char* table : kNumbered) {
    const Result<int64_t> largest = largest_id(database, table);
    if (!largest) return largest.error();
    offsets.push_back(*largest);
  }
  Result<void> copied = database.execute("BEGIN");
  for (const char* sql : kCopies) {
    if (copied) copied = database.execute(place_offsets(sql, offsets));
  }
  for (const char* sql : kFirstOnly) {
    if (copied && is_first) copied = database.execute(sql);
  }
  if (copied && !is_first) copied = database.execute(kLater);
  if (copied) copied = database.execute("COMMIT");
  if (!copied) return copied;
  return database.execute("DETACH part");
}

}  // namespace

Result<void> merge_timelines(const std::vector<std::string>& parts, const std::string& output) {
  // Also repairs what a process that died has left, and refuses what is no document.
  std::vector<PartMemory> memory;
  for (const std::string& part : parts) {
    const Result<Document> document = Document::open(part);
    if (!document) return document.error();
    Result<PartMemory> rows = load_memory(*document);
    if (!rows) return rows.error();
    memory.push_back(std::move(*rows));
  }
  if (Result<void> created = create_document_file(output); !created) return created;
  auto merge = [&]() -> Result<void> {
    Result<Database> database = Database::open(output, OpenMode::kWrite);
    if (!database) return database.error();
    Result<void> merged = database->execute("PRAGMA synchronous=OFF");
    for (size_t i = 0; i < parts.size() && merged; ++i) {
      merged = add_part(*database, parts[i], i == 0);
    }
    if (merged) merged = add_memory(*database, memory);
    return merged;
  };
  const Result<void> merged = merge();
  if (merged) return {};
  ::unlink(output.c_str());
  return Error{fmt::format("'{}' cannot be written: {}", output, merged.error().message)};
}

}  // namespace assay::trace
