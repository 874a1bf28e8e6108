#include "sanitizer/report/report_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/testing/temporary_folder.h"
#include "sanitizer/report/finding_json.h"
#include "sanitizer/testing/sample_report.h"

namespace assay::sanitizer {
namespace {

using base::testing::TemporaryFolder;

TEST(ReportFile, carries_findings_and_kernels_to_the_reader) {
  const TemporaryFolder folder;
  folder.write("findings", "");
  Result<ReportFile> file = ReportFile::open(folder.file("findings"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append(testing::sample_report()));
  ASSERT_TRUE(file->append(testing::sample_bounds()));
  FindingLog log;
  const Result<uint64_t> refused = read_report_file(folder.file("findings"), log);
  ASSERT_TRUE(refused);
  EXPECT_EQ(*refused, 0u);
  const CheckReport report = log.report();
  EXPECT_EQ(report.findings.size(), 4u);
  EXPECT_EQ(report.findings[1].occurrences, 2u);
  EXPECT_EQ(report.dispatches(), 1012u);
}

// Every process has its own position in the file and its own end of it.
TEST(ReportFile, takes_lines_of_several_processes) {
  constexpr int kProcesses = 4, kLines = 200;
  const TemporaryFolder folder;
  folder.write("findings", "");
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      Result<ReportFile> file = ReportFile::open(folder.file("findings"));
      bool is_good = file.ok();
      for (int line = 0; is_good && line < kLines; ++line) {
        is_good = file->append(testing::sample_race()).ok();
      }
      _exit(is_good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  FindingLog log;
  EXPECT_EQ(*read_report_file(folder.file("findings"), log), 0u);
  ASSERT_EQ(log.report().findings.size(), 1u);
  EXPECT_EQ(log.report().findings[0].occurrences, uint64_t{4096} * kProcesses * kLines);
}

TEST(ReportFile, counts_lines_that_make_no_sense) {
  const TemporaryFolder folder;
  const std::string good = finding_line(testing::sample_race());
  folder.write("findings", good + "\n{\"rule\": 5}\n\n" + good.substr(0, 50));
  FindingLog log;
  EXPECT_EQ(*read_report_file(folder.file("findings"), log), 2u);
  EXPECT_EQ(log.report().findings.size(), 1u);
}

TEST(ReportFile, must_be_there) {
  const TemporaryFolder folder;
  FindingLog log;
  EXPECT_FALSE(ReportFile::open(folder.file("none")));
  EXPECT_FALSE(read_report_file(folder.file("none"), log));
}

}  // namespace
}  // namespace assay::sanitizer
