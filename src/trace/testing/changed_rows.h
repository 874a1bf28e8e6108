// For fuzz targets: a sound document whose rows an input changes. Bytes that change at random
// hardly ever leave a database that SQLite reads; here it always is one, and its values are
// hostile.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/ensure.h"
#include "trace/content_encoding.h"
#include "trace/document.h"
#include "trace/row_writer.h"
#include "trace/schema.h"
#include "trace/testing/sample_trace.h"

namespace assay::trace::testing {

// Numbers and pieces from the front of an input; zeros behind its end.
class InputReader {
 public:
  explicit InputReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool is_empty() const { return bytes_.empty(); }
  uint8_t byte() {
    const auto piece = take(1);
    return piece.empty() ? 0 : std::to_integer<uint8_t>(piece[0]);
  }
  size_t below(size_t limit) { return byte() % limit; }
  int64_t number() {
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value |= uint64_t{byte()} << (8 * i);
    return static_cast<int64_t>(value);
  }
  std::span<const std::byte> take(size_t count) {
    const auto piece = bytes_.first(std::min(count, bytes_.size()));
    bytes_ = bytes_.subspan(piece.size());
    return piece;
  }

 private:
  std::span<const std::byte> bytes_;
};

// Command `id` of any kind but a dispatch, between the buffers 1 and 2 of the sample.
inline CommandRecord plain_command(Id id, CommandKind kind) {
  CommandRecord command{.id = id, .command_buffer = 1, .kind = kind, .label = 2, .site = 3};
  command.position = static_cast<uint32_t>(id);
  command.started = 1000 * id;
  command.ended = command.started + 500;
  const BindingRecord source{
      .slot = 0, .access = kReads, .buffer = 1, .bytes = 60, .range_end = 60};
  BindingRecord target{.slot = 1, .access = kWrites, .buffer = 2, .bytes = 60, .range_end = 60};
  target.result = base::Hash128{3, 4};
  if (kind == CommandKind::kFill) command.value = 7;
  if (kind == CommandKind::kFill) command.bindings = {target};
  if (kind == CommandKind::kCopy) command.bindings = {source, target};
  if (kind == CommandKind::kMatrixProduct) {
    command.product = 4;
    BindingRecord second = source;
    second.slot = 1;
    target.slot = 2;
    command.bindings = {source, second, target};
  }
  if (kind == CommandKind::kSignal || kind == CommandKind::kWait) {
    command.event = 1;
    command.value = 5;
  }
  return command;
}

// A row in every table and a command of every kind, which a replay would take.
inline std::vector<Record> whole_records() {
  std::vector<Record> records = shared_records();
  records.emplace_back(TextRecord{
      4, R"({"element":"float32","m":3,"n":5,"k":3,"a":{"transposed":false,"leading":3},)"
         R"("b":{"transposed":false,"leading":5},"offsets":[[0,0]]})"});
  records.emplace_back(content_record(4, text_bytes("\x5b\0\0\0")));
  records.emplace_back(CommandBufferRecord{
      .id = 1, .queue = 1, .label = 1, .submitted = 10, .completed = 9000, .thread = 1});
  CommandRecord dispatch{.id = 1,
                         .command_buffer = 1,
                         .started = 1000,
                         .ended = 1600,
                         .label = 2,
                         .site = 3,
                         .kernel = 1,
                         .launch = 1};
  BindingRecord whole{.access = kReads | kWrites, .buffer = 2, .bytes = kBufferBytes};
  whole.range_end = kBufferBytes;
  whole.array = 1;
  whole.result = base::Hash128{1, 2};
  dispatch.bindings = {whole, {.slot = 2, .kind = BindingKind::kThreadgroupMemory, .bytes = 128}};
  records.emplace_back(dispatch);
  Id id = 2;
  for (const CommandKind kind :
       {CommandKind::kFill, CommandKind::kCopy, CommandKind::kMatrixProduct, CommandKind::kSignal,
        CommandKind::kWait}) {
    records.emplace_back(plain_command(id, kind));
    records.emplace_back(DependencyRecord{id, id - 1, DependencyKind::kWriteAfterWrite, 2});
    ++id;
  }
  records.emplace_back(FactRecord{"ended", "123456"});
  return records;
}

// Those records as the bytes of a file. Contents are cut, so that there are pieces too.
inline std::vector<std::byte> whole_document() {
  constexpr uint64_t kMaxRowBytes = 1500;
  Result<Database> database = Database::open_in_memory();
  ASSAY_ENSURE(database, "no database in memory");
  const std::string sql =
      fmt::format("PRAGMA page_size=512; PRAGMA application_id={}; PRAGMA user_version={}; {}",
                  kApplicationId, kSchemaVersion, schema_sql());
  ASSAY_ENSURE(database->execute(sql), "the schema has an error");
  Result<RowWriter> writer = RowWriter::create(*database, kMaxRowBytes);
  ASSAY_ENSURE(writer, "the rows do not fit the schema");
  for (const Record& record : whole_records()) {
    ASSAY_ENSURE(writer->write(record), "a row cannot be written");
  }
  return std::move(*database->serialise());
}

struct TableShape {
  std::string name;
  std::vector<std::string> columns;
  std::string key;  // its columns, separated by commas
};

inline std::vector<TableShape> table_shapes(const Database& database) {
  std::vector<TableShape> tables;
  Result<Statement> names = database.prepare(
      "SELECT m.name, c.name, c.pk FROM sqlite_master m JOIN pragma_table_info(m.name) c "
      "WHERE m.type='table' ORDER BY m.name, c.cid");
  ASSAY_ENSURE(names, "the tables cannot be listed");
  while (true) {
    const Result<bool> row = names->step();
    ASSAY_ENSURE(row, "the tables cannot be listed");
    if (!*row) return tables;
    if (tables.empty() || tables.back().name != names->text(0)) {
      tables.push_back({std::string(names->text(0)), {}, {}});
    }
    TableShape& table = tables.back();
    table.columns.emplace_back(names->text(1));
    if (names->integer(2) == 0) continue;
    if (!table.key.empty()) table.key += ',';
    table.key += names->text(1);
  }
}

// The next value of an input: numbers at the edges of types, any number, text or bytes, also packed
// ones, which a reader has to unpack.
inline void bind_value(Statement& statement, InputReader& input) {
  constexpr std::array<int64_t, 12> kEdges = {0,
                                              -1,
                                              INT32_MAX,
                                              INT32_MIN,
                                              UINT32_MAX,
                                              int64_t{UINT32_MAX} + 1,
                                              INT64_MAX,
                                              INT64_MIN,
                                              INT64_MAX - kBufferBytes + 1,
                                              kBufferBytes,
                                              kBufferBytes + 1,
                                              Document::kMaxContentBytes};
  switch (input.below(8)) {
    case 0: statement.bind(int64_t{static_cast<int8_t>(input.byte())}); return;
    case 1: statement.bind(kEdges[input.below(kEdges.size())]); return;
    case 2: statement.bind(input.number()); return;
    case 3: statement.bind(static_cast<double>(input.number()) / 3); return;
    case 4: statement.bind_null(); return;
    case 5: statement.bind(input.take(input.byte())); return;
    case 6: {
      const EncodedContent packed = encode_content(input.take(input.byte()));
      statement.bind(std::span<const std::byte>(packed.data));
      return;
    }
    default: {
      const auto text = input.take(input.byte());
      statement.bind(std::string_view(reinterpret_cast<const char*>(text.data()), text.size()));
      return;
    }
  }
}

// One row gets another value, is removed, or comes a second time with another value. What the
// schema does not allow stays undone.
inline void change_row(Database& database, const std::vector<TableShape>& tables,
                       InputReader& input) {
  const TableShape& table = tables[input.below(tables.size())];
  const size_t action = input.below(8);
  const size_t column = input.below(table.columns.size());
  const std::string row = fmt::format("({0})=(SELECT {0} FROM {1} LIMIT 1 OFFSET {2})", table.key,
                                      table.name, input.below(8));
  std::string sql;
  if (action == 0) {
    sql = fmt::format("DELETE FROM {} WHERE {}", table.name, row);
  } else if (action == 1) {
    std::vector<std::string> values = table.columns;
    values[column].assign(1, '?');
    sql = fmt::format("INSERT OR REPLACE INTO {0} SELECT {1} FROM {0} WHERE {2}", table.name,
                      fmt::join(values, ","), row);
  } else {
    sql = fmt::format("UPDATE OR REPLACE {} SET {}=? WHERE {}", table.name, table.columns[column],
                      row);
  }
  Result<Statement> statement = database.prepare(sql);
  ASSAY_ENSURE(statement, "a change has an error in its text");
  if (action != 0) bind_value(*statement, input);
  (void)statement->run();
}

// The document with all changes of the input.
inline Result<Document> open_changed(std::span<const std::byte> bytes) {
  constexpr int kMaxChanges = 16;
  static const std::vector<std::byte> whole = whole_document();
  Result<Database> database = Database::open_bytes(whole);
  if (!database) return database.error();
  static const std::vector<TableShape> tables = table_shapes(*database);
  InputReader input(bytes);
  for (int i = 0; i < kMaxChanges && !input.is_empty(); ++i) change_row(*database, tables, input);
  return Document::adopt("input", std::move(*database));
}

}  // namespace assay::trace::testing
