#include <gtest/gtest.h>
#include <sys/resource.h>

#include <nlohmann/json.hpp>
#include <random>

#include "analysis/diff.h"
#include "analysis/exporters/csv_rows.h"
#include "analysis/exporters/dot.h"
#include "analysis/exporters/perfetto.h"
#include "analysis/json_rows.h"
#include "analysis/user_query.h"
#include "analysis/view_registry.h"
#include "base/file_bytes.h"
#include "base/testing/temporary_folder.h"
#include "trace/testing/sample_trace.h"

namespace assay::analysis {
namespace {

using Json = nlohmann::json;
using base::testing::TemporaryFolder;

// A document of the sample with so many commands.
class Views : public ::testing::Test {
 protected:
  trace::Document open(int64_t commands) {
    const std::string path = folder_.file(std::to_string(commands));
    EXPECT_TRUE(trace::testing::write_sample(path, commands));
    Result<trace::Document> document = trace::Document::open(path);
    EXPECT_TRUE(document) << document.error().message;
    return std::move(*document);
  }
  static std::vector<Table> run(const trace::Document& document, const char* view,
                                const ViewOptions& options = {}) {
    TableCollector tables;
    const Result<void> done = find_view(view)->run(document, options, tables);
    EXPECT_TRUE(done) << done.error().message;
    return tables.tables;
  }

  TemporaryFolder folder_;
};

template <typename Make>
std::string text_of(Make make) {
  std::string text;
  Output output([&](std::string_view piece) -> Result<void> {
    text += piece;
    return {};
  });
  make(output);
  EXPECT_TRUE(output.finish());
  return text;
}

// Sums that everybody can do by hand: command i takes 600 + i % 7 ns, reads two buffers and writes
// one.
TEST_F(Views, kernels_add_up) {
  const trace::Document document = open(2001);
  const std::vector<Table> tables = run(document, "kernels");
  ASSERT_EQ(tables.size(), 1u);
  ASSERT_EQ(tables[0].rows.size(), 1u);
  const auto& row = tables[0].rows[0];
  int64_t total = 0;
  for (int64_t id = 1; id <= 2001; ++id) total += 600 + id % 7;
  EXPECT_EQ(row[0], Cell("chain"));
  EXPECT_EQ(row[1], Cell(int64_t{2001}));
  EXPECT_EQ(row[2], Cell(total));
  EXPECT_EQ(row[3], Cell(100.0));
  EXPECT_EQ(row[5], Cell(int64_t{600}));
  EXPECT_EQ(row[6], Cell(int64_t{606}));
  EXPECT_EQ(row[7], Cell(int64_t{2001} * 2 * 4100));
  EXPECT_EQ(row[8], Cell(int64_t{2001} * 4100));
  EXPECT_TRUE(run(document, "kernels", {.kernel = "other"})[0].rows.empty());
}

TEST_F(Views, show_as_many_rows_as_asked_for) {
  const trace::Document document = open(50);
  for (const char* view : {"commands", "deps"}) {
    const Table some = run(document, view, {.limit = 7}).back();
    EXPECT_EQ(some.rows.size(), 7u) << view;
    EXPECT_GE(some.left_out, 42) << view;
    const Table all = run(document, view, {.limit = std::nullopt}).back();
    EXPECT_GE(all.rows.size(), 49u) << view;
    EXPECT_EQ(all.left_out, 0) << view;
    for (size_t i = 0; i < 7; ++i) EXPECT_EQ(some.rows[i], all.rows[i]) << view;
  }
  EXPECT_EQ(run(document, "commands", {.queue = "stream 0"})[0].left_out, 30);
  EXPECT_TRUE(run(document, "commands", {.queue = "stream 9"})[0].rows.empty());
}

TEST_F(Views, have_cells_for_every_column) {
  for (const int64_t commands : {0, 3}) {
    const trace::Document document = open(commands);
    for (const View& view : views()) {
      for (const Table& table : run(document, view.name)) {
        for (const auto& row : table.rows) {
          EXPECT_EQ(row.size(), table.head.columns.size()) << view.name << " " << table.head.name;
        }
      }
    }
  }
}

TEST_F(Views, become_json) {
  const trace::Document document = open(30);
  for (const View& view : views()) {
    const std::string text = text_of([&](Output& output) {
      JsonRows rows(output);
      EXPECT_TRUE(view.run(document, {.limit = 3}, rows));
      rows.close();
    });
    const Json json = Json::parse(text, nullptr, false);
    ASSERT_TRUE(json.is_object()) << view.name << "\n" << text;
    EXPECT_FALSE(json.empty());
  }
}

TEST(JsonRows, replaces_what_is_no_text) {
  EXPECT_EQ(json_string("a\"b\n\xff"), "\"a\\\"b\\n\xef\xbf\xbd\"");
  EXPECT_EQ(json_value(Cell(0.0 / 0.0)), "null");
  EXPECT_EQ(json_value(Cell()), "null");
  EXPECT_EQ(json_value(Cell(INT64_MIN)), "-9223372036854775808");
}

TEST(CsvRows, quotes_what_needs_it) {
  const Table table{{"t", "", {{"a", "a", ColumnKind::kText}, {"b,c", "b", ColumnKind::kCount}}},
                    {{std::string("x\"y\n"), int64_t{3}}, {std::string("plain"), Cell()}}};
  const std::string text = text_of([&](Output& output) {
    CsvRows rows(output, "");
    table.send_to(rows);
    EXPECT_TRUE(rows.finish());
  });
  EXPECT_EQ(text, "a,\"b,c\"\n\"x\"\"y\n\",3\nplain,\n");
  text_of([&](Output& output) {
    CsvRows rows(output, "other");
    table.send_to(rows);
    EXPECT_FALSE(rows.finish());
  });
}

// The rules of the format: slices with a duration, arrows that start and end inside slices of their
// track, counters with numbers.
TEST_F(Views, become_a_perfetto_trace) {
  const trace::Document document = open(40);
  const std::string text =
      text_of([&](Output& output) { EXPECT_TRUE(export_perfetto(document, output)); });
  const Json json = Json::parse(text, nullptr, false);
  ASSERT_TRUE(json.is_object()) << text.substr(0, 500);
  std::map<std::string, int> phases;
  std::vector<const Json*> slices;
  for (const Json& event : json["traceEvents"]) {
    ++phases[event["ph"]];
    if (event["ph"] == "X") slices.push_back(&event);
  }
  EXPECT_EQ(phases["X"], 43);  // with a compilation and two spans of the host
  EXPECT_EQ(phases["s"], 39);
  EXPECT_EQ(phases["f"], 39);
  EXPECT_EQ(phases["C"], 1);
  EXPECT_EQ(phases["b"], 40);
  EXPECT_EQ(phases["e"], 40);
  EXPECT_EQ(phases["M"], 4);
  for (const Json& event : json["traceEvents"]) {
    if (event["ph"] != "s" && event["ph"] != "f") continue;
    const bool is_inside = std::ranges::any_of(slices, [&](const Json* slice) {
      const double begin = (*slice)["ts"], end = begin + (*slice)["dur"].get<double>();
      return (*slice)["tid"] == event["tid"] && begin <= event["ts"] && event["ts"] < end;
    });
    EXPECT_TRUE(is_inside) << event;
  }
  const Json& command = *slices[4];
  EXPECT_EQ(command["name"], "chain");
  EXPECT_EQ(command["args"]["site"], "model.py:12");
  EXPECT_EQ(command["args"]["bytes_read"], 8200);
  EXPECT_EQ(command["args"]["inputs"], "x: float32[1025]");
  EXPECT_EQ(command["args"]["grid"], "1025x1x1 threads");
}

TEST_F(Views, become_a_graph_with_a_limit) {
  const trace::Document document = open(40);
  const std::string text = text_of([&](Output& output) {
    const Result<int64_t> left_out = export_dot(document, 10, output);
    ASSERT_TRUE(left_out);
    EXPECT_EQ(*left_out, 30);
  });
  EXPECT_NE(text.find("c9 -> c10"), std::string::npos);
  EXPECT_EQ(text.find("c11"), std::string::npos);
}

TEST_F(Views, of_a_trace_with_itself_do_not_differ) {
  const trace::Document one = open(20);
  const trace::Document two = open(21);
  TableCollector tables;
  const Result<bool> same = run_structure_diff(one, one, {}, tables);
  ASSERT_TRUE(same);
  EXPECT_FALSE(*same);
  const Result<bool> different = run_structure_diff(one, two, {}, tables);
  ASSERT_TRUE(different);
  EXPECT_TRUE(*different);
}

TEST_F(Views, answer_only_questions) {
  trace::Document document = open(3);
  TableCollector tables;
  EXPECT_TRUE(run_user_query(document, {.sql = "SELECT count(*) FROM commands"}, tables));
  EXPECT_EQ(tables.tables[0].rows[0][0], Cell(int64_t{3}));
  for (const char* sql : {"DELETE FROM commands", "PRAGMA user_version=3", "PRAGMA query_only=OFF",
                          "ATTACH ':memory:' AS x", "CREATE TEMP TABLE t (a)", "BEGIN", "VACUUM",
                          "SELECT load_extension('x')"}) {
    EXPECT_FALSE(run_user_query(document, {.sql = sql}, tables)) << sql;
  }
  EXPECT_FALSE(run_user_query(
      document,
      {.sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT max(i) FROM n",
       .time_limit_s = 0.05},
      tables));
}

// Whatever is in a document, views and exporters end in an answer or an error.
TEST_F(Views, survive_damaged_documents) {
  open(5);
  const std::optional<std::string> good = base::read_file(folder_.file("5"));
  ASSERT_TRUE(good);
  std::mt19937 random(8);
  int answers = 0;
  for (int round = 0; round < 60; ++round) {
    std::string bytes = *good;
    for (int i = 0; i < 12; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    const std::string path = folder_.file("damaged");
    std::remove(path.c_str());
    const auto part = std::as_bytes(std::span(bytes));
    const std::span<const std::byte> parts[] = {part};
    ASSERT_TRUE(base::write_file(path, parts));
    Result<trace::Document> document = trace::Document::open(path);
    if (!document) continue;
    document->database().set_time_limit(10);
    for (const View& view : views()) {
      TableCollector tables;
      answers += view.run(*document, {}, tables) ? 1 : 0;
    }
    text_of([&](Output& output) { (void)export_perfetto(*document, output); });
  }
  EXPECT_GT(answers, 10);
}

}  // namespace
}  // namespace assay::analysis
