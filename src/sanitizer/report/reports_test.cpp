// All forms of one report against texts that people have read, in tests/cases/check_reports.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/testing/temporary_folder.h"
#include "sanitizer/report/json_report.h"
#include "sanitizer/report/junit_report.h"
#include "sanitizer/report/sarif_report.h"
#include "sanitizer/report/text_report.h"
#include "sanitizer/rules.h"
#include "sanitizer/testing/sample_report.h"

namespace assay::sanitizer {
namespace {

using testing::sample_report;
using Json = nlohmann::ordered_json;

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void expect_stored(const std::string& name, std::string actual) {
  // The version changes; the form does not.
  const std::string version = Json::parse(json_report({}))["tool"]["version"];
  const std::string mark = "\"version\": \"" + version + "\"";
  if (const size_t at = actual.find(mark); at != std::string::npos) {
    actual.replace(at, mark.size(), "\"version\": \"<version>\"");
  }
  const std::filesystem::path stored =
      std::filesystem::path(ASSAY_SOURCE_FOLDER) / "tests/cases/check_reports" / name;
  if (actual == read_text(stored)) return;
  const std::filesystem::path written = std::filesystem::temp_directory_path() / ("assay_" + name);
  std::ofstream(written, std::ios::binary) << actual;
  FAIL() << "what is told differs from " << stored << "; compare it with " << written
         << " and copy that over it where it is right";
}

TEST(Reports, tell_the_same_in_every_form) {
  expect_stored("report.txt", text_report(sample_report()));
  expect_stored("report_coloured.txt", text_report(sample_report(), {.is_coloured = true}));
  expect_stored("report.json", json_report(sample_report()));
  expect_stored("report.sarif", sarif_report(sample_report(), {.root = "/work/kernels"}));
  expect_stored("report.xml", junit_report(sample_report(), Severity::kError));
}

TEST(Reports, without_findings_say_what_was_checked) {
  EXPECT_EQ(text_report({.findings = {}, .kernels = {{"axpy", 1}}}),
            "assay check: no findings in 1 dispatch of 1 kernel\n");
  EXPECT_EQ(text_report({}), "assay check: no findings; no kernel ran under the checks\n");
}

TEST(Reports, cut_long_lines_around_the_caret) {
  Finding finding = testing::sample_race();
  finding.related.clear();
  finding.place.text = std::string(300, 'a') + "X" + std::string(300, 'b');
  finding.place.column = 301;
  const std::string text = finding_text(finding);
  const size_t line = text.find("    14 | ");
  const std::string shown = text.substr(line, text.find('\n', line) - line);
  EXPECT_EQ(shown, "    14 | …" + std::string(40, 'a') + "X" + std::string(58, 'b') + "…");
  const size_t caret = text.find('^');
  EXPECT_EQ(text.substr(text.rfind('\n', caret) + 1, caret - text.rfind('\n', caret) - 1),
            "       | " + std::string(41, ' '));
}

TEST(Reports, put_the_caret_at_the_end_where_the_column_is_behind_the_line) {
  Finding finding = testing::sample_race();
  finding.place.text = "x";
  finding.place.column = 4000000000;
  EXPECT_NE(finding_text(finding).find("    14 | x\n       |  ^\n"), std::string::npos);
}

// What the schema of SARIF 2.1.0 requires of the parts that are written.
TEST(SarifReport, has_what_the_schema_requires) {
  const Json report = Json::parse(sarif_report(sample_report(), {.root = "/work/kernels"}));
  EXPECT_EQ(report["version"], "2.1.0");
  ASSERT_EQ(report["runs"].size(), 1u);
  const Json& run = report["runs"][0];
  EXPECT_TRUE(run["tool"]["driver"]["name"].is_string());
  EXPECT_TRUE(run["invocations"][0]["executionSuccessful"].is_boolean());
  const Json& listed = run["tool"]["driver"]["rules"];
  ASSERT_EQ(listed.size(), rules().size());
  for (const Json& rule : listed) {
    EXPECT_TRUE(rule["id"].is_string());
    EXPECT_TRUE(rule["shortDescription"]["text"].is_string());
  }
  for (const Json& result : run["results"]) {
    EXPECT_TRUE(result["message"]["text"].is_string());
    EXPECT_EQ(listed[result["ruleIndex"].get<size_t>()]["id"], result["ruleId"]);
    EXPECT_EQ(result["partialFingerprints"]["assayFinding/v1"].get<std::string>().size(), 32u);
    for (const Json& location : result["locations"]) {
      if (!location.contains("physicalLocation")) continue;
      EXPECT_TRUE(location["physicalLocation"]["artifactLocation"]["uri"].is_string());
    }
    for (const Json& related : result.value("relatedLocations", Json::array())) {
      EXPECT_GE(related["id"].get<int>(), 1);
      EXPECT_TRUE(related["message"]["text"].is_string());
    }
  }
}

std::string uri_of(const std::string& file, const std::string& root) {
  Finding finding = testing::sample_note();
  finding.place.file = file;
  finding.place.written.reset();
  const Json report = Json::parse(sarif_report({.findings = {finding}, .kernels = {}}, {root}));
  return report["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
               ["uri"];
}

TEST(SarifReport, tells_paths_against_the_root) {
  EXPECT_EQ(uri_of("/work/kernels/a.metal", "/work/kernels"), "a.metal");
  EXPECT_EQ(uri_of("/work/kernels/a.metal", "/work/kernels/"), "a.metal");
  EXPECT_EQ(uri_of("/work/kernels2/a.metal", "/work/kernels"), "file:///work/kernels2/a.metal");
  EXPECT_EQ(uri_of("./sub/../a.metal", "/work/kernels"), "a.metal");
  EXPECT_EQ(uri_of("a b:c%.metal", "/work"), "a%20b%3Ac%25.metal");
  EXPECT_EQ(uri_of("<stdin>", "/work"), "%3Cstdin%3E");
}

TEST(SarifReport, keeps_a_fingerprint_when_lines_move) {
  auto fingerprint = [](const Finding& finding) {
    const Json report = Json::parse(sarif_report({.findings = {finding}, .kernels = {}}, {}));
    return report["runs"][0]["results"][0]["partialFingerprints"]["assayFinding/v1"]
        .get<std::string>();
  };
  Finding moved = testing::sample_race();
  moved.place.line += 7;
  Finding other = testing::sample_race();
  other.place.text = "  float right = tile[lid + 1];";
  EXPECT_EQ(fingerprint(testing::sample_race()), fingerprint(moved));
  EXPECT_NE(fingerprint(testing::sample_race()), fingerprint(other));
}

TEST(JunitReport, fails_from_the_given_severity_on) {
  auto failures = [](std::optional<Severity> fail_on) {
    const std::string text = junit_report(sample_report(), fail_on);
    size_t count = 0;
    for (size_t at = 0; (at = text.find("<failure ", at)) != std::string::npos; ++at) ++count;
    EXPECT_NE(text.find("tests=\"5\" failures=\"" + std::to_string(count) + "\""),
              std::string::npos);
    return count;
  };
  EXPECT_EQ(failures(Severity::kError), 2u);
  EXPECT_EQ(failures(Severity::kWarning), 3u);
  EXPECT_EQ(failures(Severity::kNote), 4u);
  EXPECT_EQ(failures(std::nullopt), 0u);
}

}  // namespace
}  // namespace assay::sanitizer
