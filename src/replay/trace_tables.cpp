// See trace_tables.h.
#include "replay/trace_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "replay/parse_description.h"
#include "replay/row_reader.h"

namespace assay::replay {
namespace {

// Calls `read` for every row; what it leaves in the reader as an error ends the loop.
template <typename Read>
Result<void> for_each_row(const trace::Document& document, std::string_view sql,
                          std::string_view table, const Read& read) {
  Result<trace::Statement> statement = document.prepare(sql);
  if (!statement) return statement.error();
  while (true) {
    const Result<bool> row = statement->step();
    if (!row) return document.error(row.error().message);
    if (!*row) return {};
    RowReader reader(*statement, table);
    read(reader);
    if (const Result<void> valid = reader.finish(); !valid) {
      return document.error(valid.error().message);
    }
  }
}

template <typename Map>
void need(RowReader& reader, const Map& rows, Id id, std::string_view what) {
  if (!rows.contains(id)) reader.fail(fmt::format("{} {} is not in the document", what, id));
}

Result<void> load_contents(const trace::Document& document, TraceTables& tables) {
  return for_each_row(
      document, "SELECT id, bytes, hash FROM contents", "contents", [&](RowReader& row) {
        const Id id = row.integer("id");
        tables.content_bytes[id] = row.integer("bytes", {0, trace::Document::kMaxContentBytes});
        const std::optional<base::Hash128> hash = row.optional_hash("hash");
        if (!hash) return row.fail("'hash' is missing");
        tables.contents[*hash] = id;
      });
}

Result<void> load_names(const trace::Document& document, TraceTables& tables) {
  Result<void> loaded =
      for_each_row(document, "SELECT id, text FROM texts", "texts", [&](RowReader& row) {
        const Id id = row.integer("id");
        tables.texts[id] = row.text("text");
      });
  if (!loaded) return loaded;
  return for_each_row(document, "SELECT id, label FROM queues", "queues", [&](RowReader& row) {
    const Id id = row.integer("id");
    tables.queues[id] = row.text("label");
  });
}

Result<void> load_command_buffers(const trace::Document& document, TraceTables& tables) {
  return for_each_row(document, "SELECT id, queue, label FROM command_buffers", "command_buffers",
                      [&](RowReader& row) {
                        trace::CommandBufferRecord record{.id = row.integer("id"),
                                                          .queue = row.integer("queue"),
                                                          .label = row.integer("label")};
                        need(row, tables.queues, record.queue, "queue");
                        need(row, tables.texts, record.label, "text");
                        tables.command_buffers.emplace(record.id, std::move(record));
                      });
}

Result<void> load_kernels(const trace::Document& document, TraceTables& tables) {
  return for_each_row(document, "SELECT id, name, file, source, options, reflection FROM kernels",
                      "kernels", [&](RowReader& row) {
                        trace::KernelRecord record{.id = row.integer("id"),
                                                   .name = row.text("name"),
                                                   .file = row.text("file"),
                                                   .source = row.optional_integer("source"),
                                                   .options = row.text("options"),
                                                   .reflection = row.text("reflection")};
                        if (record.source)
                          need(row, tables.content_bytes, *record.source, "content");
                        tables.kernels.emplace(record.id, std::move(record));
                      });
}

kernel::Size3 read_size(RowReader& row, std::string_view x, std::string_view y,
                        std::string_view z) {
  kernel::Size3 size;
  size.x = row.size(x);
  size.y = row.size(y);
  size.z = row.size(z);
  return size;
}

Result<void> load_launches(const trace::Document& document, TraceTables& tables) {
  return for_each_row(
      document,
      "SELECT id, counts_threads, grid_x, grid_y, grid_z, group_x, group_y, group_z FROM launches",
      "launches", [&](RowReader& row) {
        const Id id = row.integer("id");
        const bool counts_threads = row.integer("counts_threads", {0, 1}) == 1;
        const kernel::Size3 grid = read_size(row, "grid_x", "grid_y", "grid_z");
        const kernel::Size3 group = read_size(row, "group_x", "group_y", "group_z");
        tables.launches[id] = counts_threads ? kernel::LaunchSize::threads(grid, group)
                                             : kernel::LaunchSize::threadgroups(grid, group);
      });
}

Result<void> load_arrays(const trace::Document& document, TraceTables& tables) {
  return for_each_row(document, "SELECT id, name, dtype, shape, strides FROM arrays", "arrays",
                      [&](RowReader& row) {
                        const Id id = row.integer("id");
                        ArrayRow array{row.text("name"), row.text("dtype"), {}, {}};
                        Result<std::vector<int64_t>> shape = parse_sizes(row.text("shape"));
                        Result<std::vector<int64_t>> strides = parse_sizes(row.text("strides"));
                        if (!shape) return row.fail("'shape': " + shape.error().message);
                        if (!strides) return row.fail("'strides': " + strides.error().message);
                        if (shape->size() != strides->size()) {
                          return row.fail("'shape' and 'strides' have not the same length");
                        }
                        if (std::ranges::any_of(*shape, [](int64_t size) { return size < 0; })) {
                          return row.fail("'shape' has a negative size");
                        }
                        array.shape = std::move(*shape);
                        array.strides = std::move(*strides);
                        tables.arrays.emplace(id, std::move(array));
                      });
}

Result<void> load_buffers(const trace::Document& document, TraceTables& tables) {
  return for_each_row(
      document, "SELECT id, label, bytes, first_content, last_content, last_writer FROM buffers",
      "buffers", [&](RowReader& row) {
        trace::BufferRecord record{
            .id = row.integer("id"), .label = row.integer("label"), .bytes = row.integer("bytes")};
        record.first_content = row.optional_integer("first_content");
        record.last_content = row.optional_integer("last_content");
        record.last_writer = row.optional_integer("last_writer");
        need(row, tables.texts, record.label, "text");
        for (const std::optional<Id>& content : {record.first_content, record.last_content}) {
          if (!content) continue;
          const auto known = tables.content_bytes.find(*content);
          if (known == tables.content_bytes.end()) {
            return row.fail(fmt::format("content {} is not in the document", *content));
          }
          if (known->second != record.bytes) {
            return row.fail(fmt::format("content {} has {} bytes, and the buffer {}", *content,
                                        known->second, record.bytes));
          }
        }
        tables.buffers.emplace(record.id, std::move(record));
      });
}

}  // namespace

Result<TraceTables> load_tables(const trace::Document& document) {
  TraceTables tables;
  // In this order: rows are checked against the tables before them.
  constexpr Result<void> (*kLoads[])(const trace::Document&, TraceTables&) = {
      load_contents, load_names,  load_command_buffers, load_kernels,
      load_launches, load_arrays, load_buffers};
  for (const auto load : kLoads) {
    if (const Result<void> loaded = load(document, tables); !loaded) return loaded.error();
  }
  return tables;
}

}  // namespace assay::replay
