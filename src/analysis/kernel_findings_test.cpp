#include "analysis/kernel_findings.h"

#include <gtest/gtest.h>

#include "base/testing/temporary_folder.h"
#include "trace/testing/sample_trace.h"

namespace assay::analysis {
namespace {

constexpr std::string_view kText =
    "first\n"
    "second\n"
    "  #line 1 \"source\"\n"
    "mine\n"
    "mine too\n"
    "#line 10\n"
    "tenth\n"
    "#line 2 \"main.metal\"\n"
    "second again";

TEST(FindLine, follows_line_directives) {
  EXPECT_EQ(find_line(kText, "main.metal", {"main.metal", 1}), 1);
  EXPECT_EQ(find_line(kText, "main.metal", {"main.metal", 2}), 2) << "the first of its name";
  EXPECT_EQ(find_line(kText, "main.metal", {"source", 1}), 4);
  EXPECT_EQ(find_line(kText, "main.metal", {"source", 2}), 5);
  EXPECT_EQ(find_line(kText, "main.metal", {"source", 10}), 7);
  EXPECT_EQ(find_line(kText, "other", {"main.metal", 2}), 9);
}

TEST(FindLine, says_when_there_is_none) {
  EXPECT_EQ(find_line(kText, "main.metal", {"header", 1}), 0);
  EXPECT_EQ(find_line(kText, "main.metal", {"source", 3}), 0);
  EXPECT_EQ(find_line("", "main.metal", {"main.metal", 1}), 0);
  EXPECT_EQ(find_line("#line x", "main.metal", {"main.metal", 0}), 0);
}

TEST(KernelFindings, are_read_by_kernel) {
  const base::testing::TemporaryFolder folder;
  const std::string path = (folder.path() / "x.gputrace").string();
  auto writer = trace::Writer::create(path);
  ASSERT_TRUE(writer) << writer.error().message;
  trace::FindingRecord finding{.id = 1, .rule = "wrap", .kernel = "a", .message = "wraps"};
  finding.severity = trace::FindingSeverity::kWarning;
  (*writer)->add(finding);
  (*writer)->add(trace::FindingRecord{
      .id = 2, .command = 7, .rule = "bounds-read", .kernel = "b", .line = 3, .occurrences = 9});
  ASSERT_TRUE((*writer)->finish());
  const auto document = trace::Document::open(path);
  ASSERT_TRUE(document) << document.error().message;
  const auto all = load_kernel_findings(*document);
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ((*all)[0].rule, "bounds-read") << "errors come first";
  EXPECT_EQ((*all)[0].command, 7);
  EXPECT_EQ((*all)[0].occurrences, 9);
  EXPECT_EQ((*all)[1].command, 0);
  const auto one = load_kernel_findings(*document, "a");
  ASSERT_TRUE(one && one->size() == 1);
  EXPECT_EQ((*one)[0].message, "wraps");
}

}  // namespace
}  // namespace assay::analysis
