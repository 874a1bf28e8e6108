#include "analysis/page/page_sections.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "trace/testing/sample_trace.h"

namespace assay::analysis {
namespace {

using nlohmann::json;

// Reads a piece as the page does.
struct Piece {
  explicit Piece(const std::string& bytes) : bytes(bytes) {
    EXPECT_EQ(bytes.substr(0, 8), "assaypg1");
    uint32_t size = 0;
    std::memcpy(&size, bytes.data() + 8, sizeof size);
    EXPECT_LE(16 + size, bytes.size());
    tables = json::parse(bytes.substr(bytes.size() - size));
  }
  template <typename T>
  std::vector<T> column(const std::string& name) const {
    const json& place = tables.at("columns").at(name);
    std::vector<T> values(place.at("count").get<size_t>());
    const auto begin = place.at("offset").get<size_t>();
    EXPECT_EQ(begin % 8, 0u);
    EXPECT_LE(begin + values.size() * sizeof(T), bytes.size());
    if (!values.empty()) {
      std::memcpy(values.data(), bytes.data() + begin, values.size() * sizeof(T));
    }
    return values;
  }

  std::string bytes;
  json tables;
};

class PageSections : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::temp_directory_path() /
            ("page-" + std::to_string(::getpid()) + ".gputrace");
    std::filesystem::remove(path_);
    ASSERT_TRUE(trace::testing::write_sample(path_, kCommands));
  }
  void TearDown() override { std::filesystem::remove(path_); }

  Piece load(const std::string& name) {
    const auto document = trace::Document::open(path_);
    EXPECT_TRUE(document);
    const Result<std::string> section = load_page_section(*document, name);
    EXPECT_TRUE(section) << name;
    return Piece(section ? *section : std::string());
  }

  // Changes a finished document behind assay's back.
  void execute(const std::string& sql) {
    auto database = trace::Database::open(path_, trace::OpenMode::kWrite);
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->execute(sql));
  }

  static constexpr int kCommands = 9;
  std::filesystem::path path_;
};

TEST_F(PageSections, core_has_the_commands_in_columns) {
  const Piece core = load("core");
  const auto id = core.column<double>("commands.id");
  ASSERT_EQ(id.size(), size_t{kCommands});
  const auto started = core.column<double>("commands.started");
  const auto ended = core.column<double>("commands.ended");
  for (int i = 0; i < kCommands; ++i) {
    EXPECT_EQ(id[i], i + 1);
    EXPECT_EQ(started[i], 1000.0 * (i + 1));
    EXPECT_EQ(ended[i] - started[i], 600.0 + (i + 1) % 7);
  }
  const uint32_t label = core.column<uint32_t>("commands.label")[0];
  EXPECT_EQ(core.tables["texts"][label], "chain");
  EXPECT_EQ(core.tables["texts"][core.column<uint32_t>("commands.site")[0]], "model.py:12");
  EXPECT_EQ(core.tables["kernels"][core.column<uint32_t>("commands.kernel")[0]]["name"], "chain");
  EXPECT_EQ(core.tables["launches"][core.column<uint32_t>("commands.detail")[0]],
            json({1, 1025, 1, 1, 256, 1, 1}));
  EXPECT_EQ(core.tables["queues"][core.column<uint32_t>("commands.queue")[0]], "stream 0");
  EXPECT_EQ(core.tables["complete"], true);
}

TEST_F(PageSections, traffic_counts_what_is_read_and_written) {
  const Piece traffic = load("traffic");
  EXPECT_EQ(traffic.column<double>("traffic.read")[3], 2.0 * trace::testing::kBufferBytes);
  EXPECT_EQ(traffic.column<double>("traffic.written")[3], 1.0 * trace::testing::kBufferBytes);
}

TEST_F(PageSections, bindings_name_buffers_and_arrays) {
  const Piece bindings = load("bindings");
  ASSERT_EQ(bindings.column<uint32_t>("bindings.command").size(), size_t{3 * kCommands});
  const uint32_t array = bindings.column<uint32_t>("bindings.array")[0];
  EXPECT_EQ(bindings.tables["arrays"][array], json({"x", "float32", "[1025]", "[1]"}));
  const uint32_t buffer = bindings.column<uint32_t>("bindings.buffer")[0];
  EXPECT_EQ(bindings.column<double>("buffers.bytes")[buffer], trace::testing::kBufferBytes);
}

TEST_F(PageSections, dependencies_are_pairs_of_rows) {
  const Piece dependencies = load("dependencies");
  EXPECT_EQ(dependencies.column<uint32_t>("dependencies.command"),
            (std::vector<uint32_t>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(dependencies.column<uint32_t>("dependencies.needs"),
            (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST_F(PageSections, spans_say_what_threads_did) {
  execute(
      "DELETE FROM spans; DELETE FROM measurements; DELETE FROM threads;"
      "INSERT INTO threads VALUES (7, 1, 'worker');"
      "INSERT INTO spans VALUES (1, 7, 3, 100, 900, 2, 3), (2, 99, 1000, 50, 10, 0, -4);"
      "INSERT INTO measurements VALUES ('peak_bandwidth', 5.5e10, 'bytes/s')");
  const Piece core = load("core");
  EXPECT_EQ(core.tables["threads"], json({"unknown thread", "worker"}));
  EXPECT_EQ(core.column<uint32_t>("spans.thread"), (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(core.column<uint8_t>("spans.kind"), (std::vector<uint8_t>{3, 255}));
  EXPECT_EQ(core.column<double>("spans.ended"), (std::vector<double>{900, 50}));
  EXPECT_EQ(core.tables["texts"][core.column<uint32_t>("spans.site")[0]], "model.py:12");
  EXPECT_EQ(core.column<uint32_t>("spans.label")[1], 0u);
  EXPECT_EQ(core.tables["measurements"]["peak_bandwidth"], 5.5e10);
}

TEST_F(PageSections, traffic_of_timelines_is_that_of_arrays) {
  execute(
      "DELETE FROM bindings; UPDATE commands SET bytes_read=NULL, bytes_written=NULL;"
      "UPDATE commands SET bytes_read=70, bytes_written=30 WHERE id=2");
  const Piece traffic = load("traffic");
  EXPECT_EQ(traffic.column<double>("traffic.read")[1], 70);
  EXPECT_EQ(traffic.column<double>("traffic.written")[1], 30);
  EXPECT_EQ(traffic.column<double>("traffic.read")[2], 0);
}

TEST_F(PageSections, sources_and_contents_come_whole) {
  EXPECT_EQ(load("source/1").tables["text"], std::string(trace::testing::kSource));
  EXPECT_EQ(load("source/1").tables["begin"], 0) << "the reflection knows it";
  const nlohmann::json findings = load("source/1").tables["findings"];
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0]["rule"], "bounds-read");
  EXPECT_EQ(findings[0]["source_line"], 1);
  EXPECT_EQ(load("content/3").column<uint8_t>("data"),
            std::vector<uint8_t>(trace::testing::kBufferBytes, 7));
  const auto document = trace::Document::open(path_);
  const auto small = list_small_sections(*document);
  ASSERT_TRUE(small);
  EXPECT_EQ(*small, (std::vector<std::string>{"source/1", "content/2", "content/3"}));
}

TEST_F(PageSections, report_is_that_of_the_command) {
  const json report = load("report").tables["report"];
  EXPECT_TRUE(report["verdict"]["text"].is_string());
  EXPECT_TRUE(report["findings"].is_array());
}

TEST_F(PageSections, unknown_names_are_errors) {
  const auto document = trace::Document::open(path_);
  for (const char* name : {"", "cores", "source/", "source/9", "source/1x", "source/-1",
                           "content/0", "content/77", "content/99999999999999999999"}) {
    EXPECT_FALSE(load_page_section(*document, name)) << name;
  }
}

TEST_F(PageSections, ids_that_lead_nowhere_become_none) {
  execute(
      "UPDATE commands SET kernel=77, label=-5, site=9223372036854775807, launch=0 WHERE id=2;"
      "UPDATE commands SET command_buffer=1000 WHERE id=3;"
      "UPDATE commands SET started=9000, ended=-9223372036854775808, kind=250 WHERE id=4;"
      "UPDATE commands SET id=-40 WHERE id=5;"
      "INSERT INTO dependencies VALUES (6, 6, 0, 0), (6, 12345, 9, 0)");
  const Piece core = load("core");
  const auto id = core.column<double>("commands.id");
  ASSERT_EQ(id.size(), size_t{kCommands});
  EXPECT_EQ(id[0], -40);  // in the order of ids
  EXPECT_EQ(core.column<uint32_t>("commands.kernel")[2], 0u);
  EXPECT_EQ(core.column<uint32_t>("commands.label")[2], 0u);
  EXPECT_EQ(core.column<uint32_t>("commands.site")[2], 0u);
  EXPECT_EQ(core.column<uint32_t>("commands.detail")[2], 0u);
  EXPECT_EQ(core.column<uint32_t>("commands.queue")[3], 0u);
  EXPECT_EQ(core.column<double>("commands.ended")[4], 9000);
  EXPECT_EQ(core.column<uint8_t>("commands.kind")[4], 6);
  // Rows, not ids: what belongs to command 5 is nobody's now.
  const Piece dependencies = load("dependencies");
  for (const uint32_t row : dependencies.column<uint32_t>("dependencies.needs")) {
    EXPECT_LT(row, uint32_t{kCommands});
  }
  EXPECT_EQ(dependencies.column<uint32_t>("dependencies.command").size(),
            size_t{kCommands - 1 - 2});
}

TEST_F(PageSections, texts_that_are_no_utf8_are_replaced) {
  execute("UPDATE texts SET text = CAST(x'41ff42' AS TEXT) WHERE id=2");
  EXPECT_EQ(load("core").tables["texts"][2],
            "A\xEF\xBF\xBD"
            "B");
}

TEST_F(PageSections, times_only_are_enough) {
  execute(
      "DELETE FROM bindings; DELETE FROM buffers; DELETE FROM dependencies; DELETE FROM memory;"
      "UPDATE commands SET bytes_read=NULL, bytes_written=NULL");
  EXPECT_EQ(load("core").column<double>("commands.id").size(), size_t{kCommands});
  EXPECT_EQ(load("traffic").tables["known"], false);
  EXPECT_EQ(load("bindings").column<uint32_t>("bindings.command").size(), 0u);
  EXPECT_EQ(load("dependencies").column<uint32_t>("dependencies.needs").size(), 0u);
}

}  // namespace
}  // namespace assay::analysis
