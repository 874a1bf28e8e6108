// See page_tables.h.
#include "analysis/page/page_tables.h"

#include <fmt/format.h>

#include <filesystem>

#include "analysis/page/page_sections.h"
#include "analysis/query.h"
#include "analysis/wrapping.h"

namespace assay::analysis {
namespace {

using nlohmann::json;
using trace::Statement;

// A page lists them; whoever wants more asks with SQL.
constexpr int64_t kMostNotes = 2000;

std::string text_of(const Statement& row, int column) { return std::string(row.text(column)); }

Result<void> add_facts(const trace::Document& document, SectionWriter& section) {
  section.tables["name"] = std::filesystem::path(document.path()).filename().string();
  section.tables["complete"] = document.is_complete();
  json& facts = section.tables["facts"] = json::object();
  return for_each_row(document, "SELECT name, value FROM facts",
                      [&](const Statement& row) { facts[text_of(row, 0)] = text_of(row, 1); });
}

Result<void> add_texts(const trace::Document& document, SectionWriter& section, RowIndex& index) {
  json& texts = section.tables["texts"] = json::array({""});
  return for_each_row(document, "SELECT id, text FROM texts ORDER BY id",
                      [&](const Statement& row) {
                        index.add(row.integer(0));
                        texts.push_back(text_of(row, 1));
                      });
}

Result<void> add_kernels(const trace::Document& document, SectionWriter& section, RowIndex& index) {
  json& kernels = section.tables["kernels"] = json::array({nullptr});
  return for_each_row(document,
                      "SELECT id, name, file, source, options, reflection FROM kernels ORDER BY id",
                      [&](const Statement& row) {
                        index.add(row.integer(0));
                        kernels.push_back({{"id", page_number(row.integer(0))},
                                           {"name", text_of(row, 1)},
                                           {"file", text_of(row, 2)},
                                           {"hasSource", !row.is_null(3)},
                                           {"options", text_of(row, 4)},
                                           {"reflection", text_of(row, 5)}});
                      });
}

Result<void> add_queues(const trace::Document& document, SectionWriter& section, RowIndex& index) {
  json& queues = section.tables["queues"] = json::array({"unknown queue"});
  return for_each_row(
      document, "SELECT id, label FROM queues ORDER BY id", [&](const Statement& row) {
        index.add(row.integer(0));
        queues.push_back(row.text(1).empty() ? fmt::format("queue {}", row.integer(0))
                                             : text_of(row, 1));
      });
}

Result<void> add_threads(const trace::Document& document, SectionWriter& section, RowIndex& index) {
  json& threads = section.tables["threads"] = json::array({"unknown thread"});
  return for_each_row(
      document,
      "SELECT threads.id, name, pid, (SELECT count(*) FROM processes) FROM threads LEFT JOIN "
      "processes ON processes.id = process ORDER BY threads.id",
      [&](const Statement& row) {
        index.add(row.integer(0));
        std::string name =
            row.text(1).empty() ? fmt::format("thread {}", row.integer(0)) : text_of(row, 1);
        // Names repeat in each process.
        if (row.integer(3) > 1) name += fmt::format(" · {}", row.integer(2));
        threads.push_back(std::move(name));
      });
}

Result<void> add_measurements(const trace::Document& document, SectionWriter& section) {
  json& values = section.tables["measurements"] = json::object();
  return for_each_row(document, "SELECT name, value FROM measurements",
                      [&](const Statement& row) { values[text_of(row, 0)] = row.real(1); });
}

Result<void> add_launches(const trace::Document& document, SectionWriter& section,
                          RowIndex& index) {
  json& launches = section.tables["launches"] = json::array({nullptr});
  return for_each_row(
      document,
      "SELECT id, counts_threads, grid_x, grid_y, grid_z, group_x, group_y, group_z "
      "FROM launches ORDER BY id",
      [&](const Statement& row) {
        index.add(row.integer(0));
        json launch = json::array();
        for (int i = 1; i < 8; ++i) launch.push_back(page_number(row.integer(i)));
        launches.push_back(std::move(launch));
      });
}

Result<void> add_compilations(const trace::Document& document, SectionWriter& section,
                              const RowIndex& kernels) {
  json& rows = section.tables["compilations"] = json::array();
  return for_each_row(document,
                      "SELECT kernel, ended, duration, from_cache FROM compilations ORDER BY ended",
                      [&](const Statement& row) {
                        const int64_t duration = std::max<int64_t>(0, row.integer(2));
                        rows.push_back({kernels.find(row.integer(0)),
                                        page_number(wrapping_subtract(row.integer(1), duration)),
                                        page_number(row.integer(1)), row.integer(3) != 0});
                      });
}

Result<void> add_notes(const trace::Document& document, SectionWriter& section) {
  json& rows = section.tables["notes"] = json::array();
  return for_each_row(
      document, "SELECT at, command, text FROM notes ORDER BY id LIMIT ?",
      [&](const Statement& row) {
        rows.push_back({page_number(row.integer(0)), page_number(row.integer(1)), text_of(row, 2)});
      },
      kMostNotes);
}

}  // namespace

Result<PageIndexes> add_page_tables(const trace::Document& document, SectionWriter& section) {
  PageIndexes indexes;
  Result<void> added = add_facts(document, section);
  if (added) added = add_texts(document, section, indexes.texts);
  if (added) added = add_kernels(document, section, indexes.kernels);
  if (added) added = add_queues(document, section, indexes.queues);
  if (added) added = add_threads(document, section, indexes.threads);
  if (added) added = add_measurements(document, section);
  if (added) added = add_launches(document, section, indexes.launches);
  if (added) added = add_compilations(document, section, indexes.kernels);
  if (added) added = add_notes(document, section);
  if (!added) return added.error();
  return indexes;
}

Result<int64_t> count_page_rows(const trace::Document& document, const char* table) {
  const Result<int64_t> rows = load_number(document, fmt::format("SELECT count(*) FROM {}", table));
  if (rows && *rows > kMostPageRows) {
    return Error{
        fmt::format("'{}' has {} rows in '{}', and a page holds at most {}; capture fewer "
                    "evaluations or use 'assay trace'",
                    document.path(), *rows, table, kMostPageRows)};
  }
  return rows;
}

Result<RowIndex> index_commands(const trace::Document& document) {
  RowIndex index;
  const Result<void> read = for_each_row(document, "SELECT id FROM commands ORDER BY id",
                                         [&](const Statement& row) { index.add(row.integer(0)); });
  if (!read) return read.error();
  return index;
}

}  // namespace assay::analysis
