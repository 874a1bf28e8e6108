#include "sanitizer/report/finding_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "sanitizer/rules.h"
#include "sanitizer/testing/sample_report.h"

namespace assay::sanitizer {
namespace {

bool is_same(const std::optional<ProgramPlace>& a, const std::optional<ProgramPlace>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->file == b->file && a->line == b->line && a->column == b->column;
}

bool is_same(const SourcePlace& a, const SourcePlace& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column && a.text == b.text &&
         is_same(a.written, b.written);
}

bool is_same(const std::optional<ThreadPlace>& a, const std::optional<ThreadPlace>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return std::ranges::equal(a->threadgroup, b->threadgroup) &&
         std::ranges::equal(a->thread, b->thread) && std::ranges::equal(a->grid, b->grid);
}

bool is_same(const std::optional<MemoryPlace>& a, const std::optional<MemoryPlace>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->space == b->space && a->name == b->name && a->array == b->array && a->type == b->type &&
         a->element_bytes == b->element_bytes && a->offset == b->offset && a->bytes == b->bytes &&
         a->object_bytes == b->object_bytes && a->shape == b->shape && a->strides == b->strides;
}

bool is_same(const Finding& a, const Finding& b) {
  const bool has_same_related =
      std::ranges::equal(a.related, b.related, [](const RelatedPlace& x, const RelatedPlace& y) {
        return x.message == y.message && is_same(x.place, y.place) && is_same(x.thread, y.thread);
      });
  return a.rule == b.rule && a.severity == b.severity && a.kernel == b.kernel &&
         a.label == b.label && a.message == b.message && is_same(a.place, b.place) &&
         has_same_related && is_same(a.thread, b.thread) && is_same(a.memory, b.memory) &&
         a.call_site == b.call_site && a.fix == b.fix && a.occurrences == b.occurrences &&
         a.command == b.command;
}

// Findings with the numbers and texts that go wrong first.
class RandomFinding {
 public:
  explicit RandomFinding(uint32_t seed) : random_(seed) {}

  Finding make() {
    Finding finding;
    finding.rule = rules()[pick(rules().size())].id;
    finding.severity = static_cast<Severity>(pick(3));
    finding.kernel = text();
    finding.label = text();
    finding.message = text();
    finding.place = place();
    for (size_t i = pick(4); i > 0; --i) finding.related.push_back({text(), place(), thread()});
    finding.thread = thread();
    if (pick(2) == 0) finding.memory = memory();
    finding.call_site = text();
    finding.fix = text();
    finding.occurrences = std::max<uint64_t>(number<uint64_t>(), 1);
    finding.command = number<uint64_t>();
    return finding;
  }

 private:
  size_t pick(size_t count) { return random_() % count; }

  template <typename Number>
  Number number() {
    using Limits = std::numeric_limits<Number>;
    switch (pick(4)) {
      case 0: return Limits::max();
      case 1: return Limits::min();
      case 2: return static_cast<Number>(random_());
      default: return 0;
    }
  }

  std::string text() {
    static constexpr const char* kParts[] = {"a",  "\"",   "\\", "\n", "é",
                                             "\t", "\x01", "😀", "{",  ""};
    std::string result;
    for (size_t i = pick(6); i > 0; --i) result += kParts[pick(std::size(kParts))];
    return result;
  }

  SourcePlace place() {
    SourcePlace place{text(), number<uint32_t>(), number<uint32_t>(), text()};
    if (pick(3) == 0) place.written = {text(), number<uint32_t>(), number<uint32_t>()};
    return place;
  }

  std::optional<ThreadPlace> thread() {
    if (pick(2) == 0) return std::nullopt;
    ThreadPlace place;
    for (uint32_t& each : place.threadgroup) each = number<uint32_t>();
    for (uint32_t& each : place.thread) each = number<uint32_t>();
    for (uint32_t& each : place.grid) each = number<uint32_t>();
    return place;
  }

  MemoryPlace memory() {
    MemoryPlace place{text(),
                      text(),
                      text(),
                      text(),
                      number<uint64_t>(),
                      number<int64_t>(),
                      number<uint64_t>(),
                      number<uint64_t>(),
                      {},
                      {}};
    for (size_t i = pick(4); i > 0; --i) {
      place.shape.push_back(number<int64_t>());
      place.strides.push_back(number<int64_t>());
    }
    return place;
  }

  std::mt19937 random_;
};

TEST(FindingJson, comes_back_as_it_went) {
  RandomFinding random(6);
  for (int i = 0; i < 2000; ++i) {
    const Finding finding = random.make();
    const std::string line = finding_line(finding);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const Result<ReportLine> back = parse_report_line(line);
    ASSERT_TRUE(back) << back.error().message << "\n" << line;
    ASSERT_TRUE(std::holds_alternative<Finding>(*back));
    EXPECT_TRUE(is_same(finding, std::get<Finding>(*back))) << line;
  }
}

TEST(FindingJson, tells_kernels_that_ran) {
  const Result<ReportLine> back = parse_report_line(kernel_line({"axpy<\"x\">", 12}));
  ASSERT_TRUE(back);
  EXPECT_EQ(std::get<CheckedKernel>(*back).name, "axpy<\"x\">");
  EXPECT_EQ(std::get<CheckedKernel>(*back).dispatches, 12u);
}

std::string error_of(std::string_view line) {
  const Result<ReportLine> result = parse_report_line(line);
  return result ? "" : result.error().message;
}

std::string replaced(std::string text, std::string_view old, std::string_view by) {
  const size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), by);
}

TEST(FindingJson, says_what_is_wrong_with_a_line) {
  const std::string line = finding_line(testing::sample_race());
  EXPECT_EQ(error_of(""), "the line is not JSON");
  EXPECT_EQ(error_of("{\"rule\": "), "the line is not JSON");
  EXPECT_EQ(error_of("[1]"), "'' is not an object");
  EXPECT_EQ(error_of("{}"), "'rule' is missing");
  EXPECT_EQ(error_of(replaced(line, "race-threadgroup", "made-up")),
            "'rule' is not a rule of assay check");
  EXPECT_EQ(error_of(replaced(line, "\"error\"", "\"fatal\"")),
            "'severity' is not error, warning or note");
  EXPECT_EQ(error_of(replaced(line, "\"line\":14", "\"line\":4294967296")),
            "'place.line' is not a whole number from 0 to 4294967295");
  EXPECT_EQ(error_of(replaced(line, "\"line\":12", "\"line\":-1")),
            "'related[0].place.line' is not a whole number from 0 to 4294967295");
  EXPECT_EQ(error_of(replaced(line, "[31,0,0]", "[31,0]")),
            "'related[0].thread.thread' does not have 3 numbers");
  EXPECT_EQ(error_of(replaced(line, "\"occurrences\":4096", "\"occurrences\":0")),
            "'occurrences' is 0");
  EXPECT_EQ(error_of(replaced(line, "\"shape\":[]", "\"shape\":[1.5]")),
            "'memory.shape' is not a whole number from -9223372036854775808 to "
            "9223372036854775807");
  EXPECT_EQ(error_of(replaced(line, "\"fix\"", "\"fixed\"")), "'fix' is missing");
  EXPECT_EQ(error_of(std::string(2 << 20, ' ')), "the line has 2097152 bytes, more than 1048576");
}

// Any damage gives an error or another finding, never a crash.
TEST(FindingJson, survives_damage) {
  std::mt19937 random(7);
  const std::string line = finding_line(testing::sample_race());
  size_t refused = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string damaged = line;
    for (size_t changes = 1 + random() % 4; changes > 0; --changes) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    damaged.resize(damaged.size() - random() % 3);
    refused += parse_report_line(damaged) ? 0 : 1;
  }
  EXPECT_GT(refused, 2500u);
}

}  // namespace
}  // namespace assay::sanitizer
