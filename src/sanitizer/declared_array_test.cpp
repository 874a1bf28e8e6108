// What declarations say of arrays, and what they leave open.
#include "sanitizer/declared_array.h"

#include <gtest/gtest.h>

namespace assay::sanitizer {
namespace {

DeclaredArray read(const std::string& text, const std::string& name) {
  const size_t line = text.rfind('\n') + 1;
  return read_declaration(text.substr(line), text.find(name, line) - line,
                          [&](std::string_view constant) { return find_constant(text, constant); });
}

using Extents = std::vector<uint64_t>;

MemoryPlace place_in(const std::string& name, uint64_t element_bytes, int64_t offset = 0) {
  MemoryPlace place;
  place.name = name;
  place.element_bytes = element_bytes;
  place.offset = offset;
  place.bytes = 4;
  place.object_bytes = 16;
  return place;
}

TEST(DeclaredArray, has_its_extents_from_the_text) {
  EXPECT_EQ(read("  threadgroup float tile[32][31];", "tile").extents, (Extents{32, 31}));
  EXPECT_EQ(read("  threadgroup float a[4], b[2 * 8u + 1];", "b").extents, (Extents{17}));
  EXPECT_EQ(read("  threadgroup Best best;", "best;").dimensions, 0U);
}

TEST(DeclaredArray, knows_constants_and_macros_that_are_numbers) {
  EXPECT_EQ(read("#define T 16\nthreadgroup float s[T][T + 1];", "s[").extents, (Extents{16, 17}));
  EXPECT_EQ(read("constexpr uint T = 8;\nthreadgroup int s[T];", "s[").extents, (Extents{8}));
}

TEST(DeclaredArray, leaves_open_what_the_text_does_not_say) {
  const DeclaredArray array = read("threadgroup float s[N][4];", "s[");
  EXPECT_EQ(array.dimensions, 2U);
  EXPECT_TRUE(array.extents.empty());
  EXPECT_TRUE(read("a = 4; T = 2; T = 3;\nthreadgroup float s[T];", "s[").extents.empty());
  EXPECT_TRUE(read("threadgroup float s[sizeof(x) / 4];", "s[").extents.empty());
}

TEST(DeclaredArray, gives_the_size_of_an_element) {
  const MemoryPlace place = place_in("part", 4);
  EXPECT_EQ(element_bytes_of(read("threadgroup Best part[2];", "part"), place), 8U);
  EXPECT_EQ(element_bytes_of(read("threadgroup float part[N];", "part"), place), 4U);
  EXPECT_EQ(element_bytes_of(read("threadgroup Best part[N];", "part"), place), 0U);
  EXPECT_EQ(element_bytes_of(read("threadgroup float part[N][M];", "part"), place), 0U);
  EXPECT_EQ(element_bytes_of(read("threadgroup float part[3];", "part"), place), 4U);
}

TEST(DeclaredArray, names_elements_by_all_their_indices) {
  const DeclaredArray tile = read("threadgroup float tile[32][31];", "tile");
  EXPECT_EQ(element_name(place_in("tile", 4, 128), tile), "tile[1][1]");
  const DeclaredArray part = read("threadgroup Best part[2];", "part");
  EXPECT_EQ(element_name(place_in("part", 4, 4), part), "part[1]");
  EXPECT_EQ(element_name(place_in("part", 8, 12), part), "byte 4 of part[1]");
  const DeclaredArray total = read("threadgroup float total;", "total");
  EXPECT_EQ(element_name(place_in("total", 4), total), "total");
  const DeclaredArray hidden = read("threadgroup Row rows[N][4];", "rows");
  EXPECT_EQ(element_name(place_in("rows", 0, 40), hidden), "byte 40 of rows");
}

}  // namespace
}  // namespace assay::sanitizer
