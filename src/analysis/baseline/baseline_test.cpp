#include "analysis/baseline/baseline.h"

#include <gtest/gtest.h>

#include <random>

#include "base/testing/temporary_folder.h"
#include "trace/writer.h"

namespace assay::analysis {
namespace {

using base::testing::TemporaryFolder;

struct Program {
  int64_t steps = 50;
  double time_ns = 100'000;  // of a dispatch
  double noise = 0.02;       // share of it, each time another
  uint32_t seed = 1;
  std::string kernel = "sin";
};

// A run: each step is one dispatch.
std::string write_run(const TemporaryFolder& folder, const char* name, const Program& program) {
  const std::string path = folder.file(name);
  auto writer = trace::Writer::create(path);
  EXPECT_TRUE(writer);
  std::mt19937 random(program.seed);
  std::normal_distribution<double> distribution(program.time_ns, program.noise * program.time_ns);
  (*writer)->add(trace::FactRecord{"device_name", "test"});
  (*writer)->add(trace::TextRecord{1, "x.py:1"});
  (*writer)->add(trace::ProcessRecord{1, 1, "x", 0});
  (*writer)->add(trace::ThreadRecord{1, 1, "x"});
  (*writer)->add(trace::QueueRecord{1, "stream 0", 1});
  (*writer)->add(trace::KernelRecord{1, program.kernel, "", std::nullopt, "{}", "{}"});
  int64_t now = 1000;
  for (int64_t step = 1; step <= program.steps; ++step) {
    const auto time = static_cast<int64_t>(distribution(random));
    (*writer)->add(trace::SpanRecord{1, trace::SpanKind::kEncode, now, now + 500, 0, 1});
    (*writer)->add(trace::CommandBufferRecord{
        .id = step, .queue = 1, .label = 1, .submitted = now + 500, .thread = 1});
    (*writer)->add(trace::CommandRecord{.id = step,
                                        .command_buffer = step,
                                        .started = now + 600,
                                        .ended = now + 600 + time,
                                        .label = 1,
                                        .site = 1,
                                        .kernel = 1});
    now += 1000 + time;
  }
  EXPECT_TRUE((*writer)->finish());
  return path;
}

Baseline baseline_of(const std::vector<std::string>& paths) {
  Result<Baseline> baseline = make_baseline(paths);
  EXPECT_TRUE(baseline) << baseline.error().message;
  return baseline ? std::move(*baseline) : Baseline();
}

class BaselineTest : public ::testing::Test {
 protected:
  Baseline run(const Program& program) {
    const std::string name = std::to_string(++files_);
    return baseline_of({write_run(folder_, name.c_str(), program)});
  }
  static Change change_of(const Baseline& before, const Baseline& after, const char* name) {
    for (const Comparison& row : compare_baselines(before, after, {}).rows) {
      if (row.name == name) return row.change;
    }
    return Change::kVanished;
  }

  TemporaryFolder folder_;
  int files_ = 0;
};

TEST_F(BaselineTest, survives_its_file) {
  const Baseline before = run({});
  const Result<Baseline> after = parse_baseline(baseline_text(before));
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(after->evaluations, 50);
  EXPECT_EQ(after->device, "test");
  EXPECT_EQ(after->kernels.at("sin").dispatches, 50);
  EXPECT_DOUBLE_EQ(after->kernels.at("sin").time.median, before.kernels.at("sin").time.median);
  EXPECT_DOUBLE_EQ(after->step.noise, before.step.noise);
}

TEST_F(BaselineTest, tells_what_is_no_baseline) {
  for (const char* text : {"", "[]", "{}", R"({"format":"assay baseline 1"})",
                           R"({"format":"assay baseline 1","runs":1,"evaluations":1e300,)"
                           R"("step":{},"kernels":{}})",
                           R"({"format":"assay baseline 1","runs":1,"evaluations":1,"step":)"
                           R"({"median_ns":1,"noise_ns":0,"count":1},"kernels":{"a":7}})"}) {
    EXPECT_FALSE(parse_baseline(text)) << text;
  }
}

TEST_F(BaselineTest, is_silent_about_noise) {
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    const Baseline before = run({.noise = 0.2, .seed = seed});
    const Baseline after = run({.noise = 0.2, .seed = seed + 1000});
    EXPECT_FALSE(compare_baselines(before, after, {}).has_regression()) << seed;
  }
}

TEST_F(BaselineTest, finds_what_got_slower_or_faster) {
  const Baseline before = run({});
  const Baseline slower = run({.time_ns = 110'000, .seed = 2});
  EXPECT_EQ(change_of(before, slower, "sin"), Change::kSlower);
  EXPECT_EQ(change_of(before, slower, "step"), Change::kSlower);
  EXPECT_EQ(change_of(slower, before, "sin"), Change::kFaster);
  EXPECT_FALSE(compare_baselines(slower, before, {}).has_regression());
  EXPECT_FALSE(compare_baselines(before, slower, {.is_structure_only = true}).has_regression());
  EXPECT_FALSE(compare_baselines(before, slower, {.tolerance = 0.2}).has_regression());
}

TEST_F(BaselineTest, finds_other_kernels_and_counts) {
  const Baseline before = run({});
  const Baseline other = run({.kernel = "cos"});
  EXPECT_EQ(change_of(before, other, "sin"), Change::kVanished);
  EXPECT_EQ(change_of(before, other, "cos"), Change::kAppeared);
  EXPECT_TRUE(compare_baselines(before, other, {.is_structure_only = true}).has_regression());
  Baseline more = before;
  more.kernels["sin"].dispatches = 60;
  EXPECT_EQ(change_of(before, more, "sin"), Change::kCountChanged);
  const Baseline shorter = run({.steps = 25});
  EXPECT_EQ(change_of(before, shorter, "sin"), Change::kSame) << "as many for each evaluation";
}

TEST_F(BaselineTest, takes_the_spread_between_runs_as_noise) {
  const std::string first = write_run(folder_, "a", {.noise = 0});
  const std::string second = write_run(folder_, "b", {.time_ns = 120'000, .noise = 0});
  const Baseline both = baseline_of({first, second});
  EXPECT_EQ(both.runs, 2);
  EXPECT_NEAR(both.kernels.at("sin").time.noise, 10'000, 1);
  const auto unlike = make_baseline({first, write_run(folder_, "c", {.steps = 7})});
  ASSERT_FALSE(unlike);
  EXPECT_NE(unlike.error().message.find("no runs of the same program"), std::string::npos);
}

}  // namespace
}  // namespace assay::analysis
