// Messages against what printf itself writes.
#include "device/print_text.h"

#include <gtest/gtest.h>

#include <bit>

namespace assay::device {
namespace {

using kernel::PrintRecord;
using kernel::PrintType;

class Message {
 public:
  explicit Message(const char* format) { record_.format = format; }
  Message& add(PrintType type, uint64_t word) {
    record_.types |= static_cast<uint64_t>(type) << (4 * record_.count);
    record_.words[record_.count++] = word;
    return *this;
  }
  Message& add(int64_t value) { return add(PrintType::kSigned, static_cast<uint64_t>(value)); }
  Message& add(uint64_t value) { return add(PrintType::kUnsigned, value); }
  Message& add(float value) { return add(PrintType::kFloat, std::bit_cast<uint32_t>(value)); }
  Message& add(const char* text) { return add(PrintType::kText, reinterpret_cast<uint64_t>(text)); }
  std::string text() const { return format_message(record_); }

 private:
  PrintRecord record_;
};

TEST(PrintText, puts_numbers_into_their_places) {
  EXPECT_EQ(Message("%d|%5u|%-4d|%+d|%05d")
                .add(int64_t{-7})
                .add(uint64_t{3})
                .add(int64_t{12})
                .add(int64_t{4})
                .add(int64_t{42})
                .text(),
            "-7|    3|12  |+4|00042");
  EXPECT_EQ(Message("%.2f %g %e").add(1.005F).add(0.5F).add(1e10F).text(), "1.00 0.5 1.000000e+10");
  EXPECT_EQ(Message("%x %X %o").add(uint64_t{255}).add(int64_t{-1}).add(uint64_t{8}).text(),
            "ff FFFFFFFF 10");
  EXPECT_EQ(Message("%s: %c").add("name").add(uint64_t{'A'}).text(), "name: A");
  EXPECT_EQ(Message("100 %%, %hhu %llu\n").add(uint64_t{1}).add(uint64_t{1} << 40).text(),
            "100 %, 1 1099511627776");
}

TEST(PrintText, shows_numbers_that_do_not_fit_their_conversion_as_what_they_are) {
  EXPECT_EQ(Message("%d %u").add(1.5F).add(2.5F).text(), "1.5 2.5");
  EXPECT_EQ(Message("%f").add(int64_t{-3}).text(), "-3.000000");
}

TEST(PrintText, takes_vectors_by_component) {
  EXPECT_EQ(Message("%v3d!").add(int64_t{1}).add(int64_t{-2}).add(int64_t{3}).text(), "1, -2, 3!");
  EXPECT_EQ(Message("%.1v2f").add(0.25F).add(1.0F).text(), "0.2, 1.0");
}

TEST(PrintText, leaves_what_it_cannot_fill) {
  EXPECT_EQ(Message("%d and %d").add(int64_t{1}).text(), "1 and %d");
  EXPECT_EQ(Message("%v4f").add(1.0F).text(), "%v4f");
  EXPECT_EQ(Message("100%").text(), "100%");
  EXPECT_EQ(Message("").text(), "");
  EXPECT_EQ(Message("%999999999d").add(int64_t{1}).text().size(), 200U);
}

TEST(PrintText, orders_lines_by_threadgroup_thread_and_time) {
  std::vector<PrintRecord> records = {{.group = 1, .thread = 0, .format = "c"},
                                      {.group = 0, .thread = 2, .format = "b"},
                                      {.group = 0, .thread = 1, .format = "a1"},
                                      {.group = 0, .thread = 1, .format = "a2"}};
  const auto lines = make_lines(records, kernel::LaunchSize::threads({5, 1, 1}, {4, 1, 1}));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0].text, "a1");
  EXPECT_EQ(lines[1].text, "a2");
  EXPECT_EQ(lines[2].text, "b");
  EXPECT_EQ(lines[3].text, "c");
  EXPECT_EQ(lines[3].thread_position_in_grid[0], 4U);
}

TEST(PrintText, finds_threads_of_smaller_groups_at_the_edge) {
  // 5 x 3 threads in groups of 4 x 2: the last group is 1 x 1.
  const auto size = kernel::LaunchSize::threads({5, 3, 1}, {4, 2, 1});
  EXPECT_EQ(size.position_in_grid(0, 5), (std::array<uint32_t, 3>{1, 1, 0}));
  EXPECT_EQ(size.position_in_grid(1, 1), (std::array<uint32_t, 3>{4, 1, 0}));
  EXPECT_EQ(size.position_in_grid(3, 0), (std::array<uint32_t, 3>{4, 2, 0}));
}

}  // namespace
}  // namespace assay::device
