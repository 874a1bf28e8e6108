#include "sanitizer/finding_log.h"

#include <gtest/gtest.h>

#include <thread>

#include "sanitizer/testing/sample_report.h"

namespace assay::sanitizer {
namespace {

using testing::sample_bare;
using testing::sample_bounds;
using testing::sample_note;
using testing::sample_race;

Suppressions suppressions(std::string_view text) {
  Result<Suppressions> list = Suppressions::parse(text, "s.txt");
  EXPECT_TRUE(list);
  return *list;
}

TEST(FindingLog, folds_what_repeats_into_the_first) {
  FindingLog log;
  Finding later = sample_race();
  later.command = 9;
  later.occurrences = 4;
  EXPECT_EQ(log.add(sample_race()), Added::kNew);
  EXPECT_EQ(log.add(sample_bounds()), Added::kNew);
  EXPECT_EQ(log.add(later), Added::kFolded);
  const CheckReport report = log.report();
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].rule, "race-threadgroup");
  EXPECT_EQ(report.findings[0].command, 3u);
  EXPECT_EQ(report.findings[0].occurrences, 4100u);
  EXPECT_EQ(report.findings[1].occurrences, 1u);
}

TEST(FindingLog, keeps_apart_what_differs_in_rule_kernel_place_or_memory) {
  FindingLog log;
  Finding rule = sample_race(), kernel = rule, file = rule, line = rule, column = rule,
          memory = rule, bare = rule;
  rule.rule = "race-device";
  kernel.kernel = "blur2";
  file.place.file = "other.metal";
  line.place.line = 15;
  column.place.column = 17;
  memory.memory->name = "other";
  bare.memory.reset();
  for (const Finding& each : {sample_race(), rule, kernel, file, line, column, memory, bare}) {
    EXPECT_EQ(log.add(each), Added::kNew);
  }
}

TEST(FindingLog, tells_equal_writes_only_where_there_is_no_race) {
  Finding race = sample_note();
  race.rule = "race-update";
  race.severity = Severity::kError;
  Finding elsewhere = sample_note();
  elsewhere.place.line += 1;
  FindingLog race_first, note_first;
  EXPECT_EQ(race_first.add(race), Added::kNew);
  EXPECT_EQ(race_first.add(sample_note()), Added::kFolded);
  EXPECT_EQ(race_first.add(elsewhere), Added::kNew);
  EXPECT_EQ(race_first.report().findings.size(), 2u);
  EXPECT_EQ(race_first.report().findings[0].occurrences, race.occurrences);
  note_first.add(sample_note());
  note_first.add(race);
  ASSERT_EQ(note_first.report().findings.size(), 1u);
  EXPECT_EQ(note_first.report().findings[0].rule, "race-update");
  FindingLog suppressed({.suppressions = suppressions("race-update")});
  EXPECT_EQ(suppressed.add(race), Added::kSuppressed);
  EXPECT_EQ(suppressed.add(sample_note()), Added::kNew);
}

TEST(FindingLog, occurrences_stop_at_the_largest_number) {
  FindingLog log;
  Finding many = sample_race();
  many.occurrences = UINT64_MAX;
  log.add(many);
  log.add(many);
  EXPECT_EQ(log.report().findings[0].occurrences, UINT64_MAX);
}

TEST(FindingLog, counts_suppressed_findings_once_and_tells_what_was_not_needed) {
  FindingLog log({.suppressions = suppressions("race-threadgroup:blur\nrace-device\n")});
  EXPECT_EQ(log.add(sample_race()), Added::kSuppressed);
  EXPECT_EQ(log.add(sample_race()), Added::kSuppressed);
  EXPECT_EQ(log.add(sample_bounds()), Added::kNew);
  const CheckReport report = log.report();
  EXPECT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.suppressed, 1u);
  EXPECT_EQ(report.unused_suppressions, std::vector<std::string>{"s.txt:2: race-device"});
}

TEST(FindingLog, leaves_out_what_is_not_severe_enough) {
  FindingLog log({.least = Severity::kWarning});
  EXPECT_EQ(log.add(sample_note()), Added::kBelow);
  EXPECT_EQ(log.add(sample_bare()), Added::kNew);
  EXPECT_TRUE(log.has_at_least(Severity::kWarning));
  EXPECT_FALSE(log.has_at_least(Severity::kError));
}

TEST(FindingLog, counts_what_is_over_the_limit_and_goes_on_folding) {
  FindingLog log({.limit = 1});
  EXPECT_EQ(log.add(sample_race()), Added::kNew);
  EXPECT_EQ(log.add(sample_bounds()), Added::kOverLimit);
  EXPECT_EQ(log.add(sample_bounds()), Added::kOverLimit);
  EXPECT_EQ(log.add(sample_race()), Added::kFolded);
  EXPECT_EQ(log.report().findings.size(), 1u);
  EXPECT_EQ(log.report().left_out, 1u);
}

TEST(FindingLog, hands_on_what_is_new_and_later_the_rest) {
  FindingLog log;
  log.add(sample_race());
  EXPECT_TRUE(log.add_kernel({"blur", 1}));
  EXPECT_EQ(log.take_new().size(), 1u);
  EXPECT_TRUE(log.take_new().empty());
  EXPECT_EQ(log.take_kernels().dispatches(), 1u);
  EXPECT_EQ(log.take_kernels().dispatches(), 0u);
  log.add(sample_race());
  log.add(sample_bounds());
  EXPECT_FALSE(log.add_kernel({"blur", 2}));
  EXPECT_EQ(log.take_new().size(), 1u);
  const CheckReport rest = log.take_unreported();
  ASSERT_EQ(rest.findings.size(), 1u);
  EXPECT_EQ(rest.findings[0].rule, "race-threadgroup");
  EXPECT_EQ(rest.findings[0].occurrences, 4096u);
  ASSERT_EQ(rest.kernels.size(), 1u);
  EXPECT_EQ(rest.kernels[0].dispatches, 2u);
  EXPECT_TRUE(log.take_unreported().findings.empty());
  EXPECT_TRUE(log.take_unreported().kernels.empty());
}

TEST(FindingLog, takes_findings_from_many_threads) {
  constexpr int kThreads = 4, kRounds = 500, kLines = 7;
  FindingLog log;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&log] {
      for (int round = 0; round < kRounds; ++round) {
        Finding finding = sample_bounds();
        finding.place.line = static_cast<uint32_t>(1 + round % kLines);
        log.add(finding);
        log.add_kernel({"row_sum", 1});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const CheckReport report = log.report();
  ASSERT_EQ(report.findings.size(), static_cast<size_t>(kLines));
  uint64_t occurrences = 0;
  for (const Finding& finding : report.findings) occurrences += finding.occurrences;
  EXPECT_EQ(occurrences, static_cast<uint64_t>(kThreads * kRounds));
  EXPECT_EQ(report.dispatches(), static_cast<uint64_t>(kThreads * kRounds));
}

}  // namespace
}  // namespace assay::sanitizer
