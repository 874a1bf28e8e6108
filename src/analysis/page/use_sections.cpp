// What commands use: bytes, buffers, arrays, and each other. See page_sections.h.
#include <algorithm>

#include "analysis/page/page_sections.h"
#include "analysis/page/page_tables.h"
#include "analysis/query.h"
#include "analysis/wrapping.h"

namespace assay::analysis {
namespace {

using nlohmann::json;
using trace::Statement;

double range_size(const Statement& row, int begin, int end) {
  return page_number(std::max<int64_t>(0, wrapping_subtract(row.integer(end), row.integer(begin))));
}

Result<RowIndex> add_buffers(const trace::Document& document, SectionWriter& section) {
  if (const Result<int64_t> rows = count_page_rows(document, "buffers"); !rows) return rows.error();
  RowIndex index;
  // Row 0 is "none"; a time that nobody knows is below zero.
  std::vector<double> id = {0}, bytes = {0}, allocated = {-1}, freed = {-1}, first = {0},
                      last = {0}, writer = {0};
  json labels = json::array({""});
  auto time_or_none = [](const Statement& row, int column) {
    return row.is_null(column) ? -1.0 : std::max(0.0, page_number(row.integer(column)));
  };
  const Result<void> read = for_each_row(
      document,
      "SELECT buffers.id, bytes, allocated, freed, first_content, last_content, last_writer, text "
      "FROM buffers LEFT JOIN texts ON texts.id = label ORDER BY buffers.id",
      [&](const Statement& row) {
        index.add(row.integer(0));
        id.push_back(page_number(row.integer(0)));
        bytes.push_back(page_number(row.integer(1)));
        allocated.push_back(time_or_none(row, 2));
        freed.push_back(time_or_none(row, 3));
        first.push_back(page_number(row.integer(4)));
        last.push_back(page_number(row.integer(5)));
        writer.push_back(page_number(row.integer(6)));
        labels.push_back(std::string(row.text(7)));
      });
  if (!read) return read.error();
  section.add_column("buffers.id", id);
  section.add_column("buffers.bytes", bytes);
  section.add_column("buffers.allocated", allocated);
  section.add_column("buffers.freed", freed);
  section.add_column("buffers.firstContent", first);
  section.add_column("buffers.lastContent", last);
  section.add_column("buffers.lastWriter", writer);
  section.tables["bufferLabels"] = std::move(labels);
  return index;
}

Result<RowIndex> add_arrays(const trace::Document& document, SectionWriter& section) {
  RowIndex index;
  json& arrays = section.tables["arrays"] = json::array({nullptr});
  const Result<void> read =
      for_each_row(document, "SELECT id, name, dtype, shape, strides FROM arrays ORDER BY id",
                   [&](const Statement& row) {
                     index.add(row.integer(0));
                     arrays.push_back({std::string(row.text(1)), std::string(row.text(2)),
                                       std::string(row.text(3)), std::string(row.text(4))});
                   });
  if (!read) return read.error();
  return index;
}

struct BindingColumns {
  std::vector<uint32_t> command, buffer, array;
  std::vector<uint16_t> slot;
  std::vector<uint8_t> kind, access;
  std::vector<double> begin, end, start, content;
};

Result<void> add_bindings(const trace::Document& document, const RowIndex& commands,
                          const RowIndex& buffers, const RowIndex& arrays, SectionWriter& section) {
  BindingColumns columns;
  const Result<void> read = for_each_row(
      document,
      "SELECT command, slot, kind, access, buffer, start, bytes, range_begin, range_end, content, "
      "array FROM bindings ORDER BY command, kind, slot",
      [&](const Statement& row) {
        const uint32_t command = commands.find(row.integer(0));
        if (command == 0) return;  // of no command that is there
        columns.command.push_back(command - 1);
        columns.slot.push_back(
            static_cast<uint16_t>(std::clamp<int64_t>(row.integer(1), 0, 65535)));
        const auto kind = static_cast<uint8_t>(std::clamp<int64_t>(row.integer(2), 0, 3));
        columns.kind.push_back(kind);
        columns.access.push_back(static_cast<uint8_t>(row.integer(3) & 3));
        columns.buffer.push_back(buffers.find(row.integer(4)));
        columns.start.push_back(page_number(row.integer(5)));
        const bool is_buffer = kind == 0;
        columns.begin.push_back(is_buffer ? page_number(row.integer(7)) : 0);
        columns.end.push_back(page_number(is_buffer ? row.integer(8) : row.integer(6)));
        columns.content.push_back(page_number(row.integer(9)));
        columns.array.push_back(arrays.find(row.integer(10)));
      });
  if (!read) return read;
  section.add_column("bindings.command", columns.command);
  section.add_column("bindings.slot", columns.slot);
  section.add_column("bindings.kind", columns.kind);
  section.add_column("bindings.access", columns.access);
  section.add_column("bindings.buffer", columns.buffer);
  section.add_column("bindings.start", columns.start);
  section.add_column("bindings.begin", columns.begin);
  section.add_column("bindings.end", columns.end);
  section.add_column("bindings.content", columns.content);
  section.add_column("bindings.array", columns.array);
  return {};
}

// Bytes of each command.
struct Traffic {
  explicit Traffic(size_t commands) : read(commands), written(commands) {}
  std::vector<double> read, written;
  bool is_known = false;
};

Result<void> add_binding_bytes(const trace::Document& document, const RowIndex& commands,
                               Traffic& traffic) {
  return for_each_row(document,
                      "SELECT command, access, range_begin, range_end FROM bindings WHERE kind = 0",
                      [&](const Statement& row) {
                        traffic.is_known = true;
                        const uint32_t command = commands.find(row.integer(0));
                        if (command == 0) return;
                        const double bytes = range_size(row, 2, 3);
                        if ((row.integer(1) & trace::kReads) != 0)
                          traffic.read[command - 1] += bytes;
                        if ((row.integer(1) & trace::kWrites) != 0)
                          traffic.written[command - 1] += bytes;
                      });
}

Result<void> add_array_bytes(const trace::Document& document, const RowIndex& commands,
                             Traffic& traffic) {
  return for_each_row(
      document,
      "SELECT id, bytes_read, bytes_written FROM commands WHERE bytes_read IS NOT NULL OR "
      "bytes_written IS NOT NULL",
      [&](const Statement& row) {
        traffic.is_known = true;
        const uint32_t command = commands.find(row.integer(0));
        if (command == 0) return;
        traffic.read[command - 1] = page_number(std::max<int64_t>(0, row.integer(1)));
        traffic.written[command - 1] = page_number(std::max<int64_t>(0, row.integer(2)));
      });
}

}  // namespace

Result<std::string> load_traffic_section(const trace::Document& document) {
  if (const Result<int64_t> rows = count_page_rows(document, "commands"); !rows)
    return rows.error();
  const Result<RowIndex> commands = index_commands(document);
  if (!commands) return commands.error();
  Traffic traffic(commands->count());
  Result<void> read = add_binding_bytes(document, *commands, traffic);
  // Timelines have no bindings, but may know the bytes of arrays.
  if (read && !traffic.is_known) read = add_array_bytes(document, *commands, traffic);
  if (!read) return read.error();
  SectionWriter section;
  section.tables["known"] = traffic.is_known;
  if (traffic.is_known) {
    section.add_column("traffic.read", traffic.read);
    section.add_column("traffic.written", traffic.written);
  }
  return section.finish();
}

Result<std::string> load_bindings_section(const trace::Document& document) {
  if (const Result<int64_t> rows = count_page_rows(document, "bindings"); !rows)
    return rows.error();
  const Result<RowIndex> commands = index_commands(document);
  if (!commands) return commands.error();
  SectionWriter section;
  const Result<RowIndex> buffers = add_buffers(document, section);
  if (!buffers) return buffers.error();
  const Result<RowIndex> arrays = add_arrays(document, section);
  if (!arrays) return arrays.error();
  const Result<void> added = add_bindings(document, *commands, *buffers, *arrays, section);
  if (!added) return added.error();
  return section.finish();
}

Result<std::string> load_dependencies_section(const trace::Document& document) {
  if (const Result<int64_t> rows = count_page_rows(document, "dependencies"); !rows) {
    return rows.error();
  }
  const Result<RowIndex> commands = index_commands(document);
  if (!commands) return commands.error();
  std::vector<uint32_t> command, needs;
  std::vector<uint8_t> kind;
  std::vector<double> buffer;
  const Result<void> read = for_each_row(
      document, "SELECT command, needs, kind, buffer FROM dependencies ORDER BY command, needs",
      [&](const Statement& row) {
        const uint32_t later = commands->find(row.integer(0));
        const uint32_t earlier = commands->find(row.integer(1));
        if (later == 0 || earlier == 0 || later == earlier) return;
        command.push_back(later - 1);
        needs.push_back(earlier - 1);
        kind.push_back(static_cast<uint8_t>(std::clamp<int64_t>(row.integer(2), 0, 4)));
        buffer.push_back(page_number(row.integer(3)));
      });
  if (!read) return read.error();
  SectionWriter section;
  section.add_column("dependencies.command", command);
  section.add_column("dependencies.needs", needs);
  section.add_column("dependencies.kind", kind);
  section.add_column("dependencies.buffer", buffer);
  return section.finish();
}

}  // namespace assay::analysis
