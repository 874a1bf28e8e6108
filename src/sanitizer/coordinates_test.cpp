#include "sanitizer/coordinates.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace assay::sanitizer {
namespace {

using Coordinates = std::optional<std::vector<int64_t>>;

int64_t place_of(const std::vector<int64_t>& at, const std::vector<int64_t>& strides) {
  int64_t index = 0;
  for (size_t axis = 0; axis < at.size(); ++axis) index += at[axis] * strides[axis];
  return index;
}

// Every element of the shape in turn.
template <typename Visit>
void for_each_element(const std::vector<int64_t>& shape, const Visit& visit) {
  std::vector<int64_t> at(shape.size(), 0);
  while (true) {
    visit(at);
    size_t axis = shape.size();
    while (axis > 0 && ++at[axis - 1] == shape[axis - 1]) at[--axis] = 0;
    if (axis == 0) return;
  }
}

TEST(Coordinates, count_rows_and_columns) {
  const std::vector<int64_t> shape = {10, 100};
  EXPECT_EQ(find_coordinates(205, {shape, {}}), Coordinates({2, 5}));
  EXPECT_EQ(find_coordinates(999, {shape, {}}), Coordinates({9, 99}));
}

TEST(Coordinates, are_unknown_outside_of_the_array) {
  const std::vector<int64_t> shape = {10, 100};
  EXPECT_EQ(find_coordinates(1000, {shape, {}}), std::nullopt);
  EXPECT_EQ(find_coordinates(-1, {shape, {}}), std::nullopt);
}

TEST(Coordinates, are_unknown_between_the_elements_of_a_view) {
  const std::vector<int64_t> shape = {3, 4}, strides = {10, 2};
  EXPECT_EQ(find_coordinates(12, {shape, strides}), Coordinates({1, 1}));
  EXPECT_EQ(find_coordinates(11, {shape, strides}), std::nullopt);
  EXPECT_EQ(find_coordinates(8, {shape, strides}), std::nullopt);
}

TEST(Coordinates, follow_steps_that_go_down_and_axes_that_repeat) {
  const std::vector<int64_t> shape = {5, 3}, strides = {0, -1};
  EXPECT_EQ(find_coordinates(0, {shape, strides}), Coordinates({0, 0}));
  EXPECT_EQ(find_coordinates(-2, {shape, strides}), Coordinates({0, 2}));
  EXPECT_EQ(find_coordinates(1, {shape, strides}), std::nullopt);
}

TEST(Coordinates, of_an_empty_array_or_of_absurd_sizes_are_unknown) {
  const std::vector<int64_t> empty = {0, 4}, huge = {INT64_MAX, INT64_MAX, 3};
  const std::vector<int64_t> down = {3}, steps = {INT64_MIN};
  EXPECT_EQ(find_coordinates(0, {empty, {}}), std::nullopt);
  EXPECT_EQ(find_coordinates(0, {huge, {}}), std::nullopt);
  EXPECT_EQ(find_coordinates(0, {down, steps}), std::nullopt);
}

// Views as slicing, transposing, flipping and broadcasting make them, against a table of all
// elements.
TEST(Coordinates, agree_with_a_walk_over_all_elements) {
  std::mt19937 random(20261115);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int round = 0; round < 300; ++round) {
    const auto rank = static_cast<size_t>(pick(1, 4));
    std::vector<int64_t> shape(rank), strides(rank);
    int64_t step = 1;
    for (size_t axis = rank; axis-- > 0;) {
      shape[axis] = pick(1, 5);
      const int64_t slice = pick(1, 3);
      strides[axis] = step * slice * (pick(0, 3) == 0 ? -1 : 1);
      if (pick(0, 7) == 0) strides[axis] = 0;
      step *= shape[axis] * slice;
    }
    for (size_t axis = rank; axis-- > 1;) {
      const auto other = static_cast<size_t>(pick(0, static_cast<int64_t>(axis)));
      std::swap(shape[axis], shape[other]);
      std::swap(strides[axis], strides[other]);
    }
    std::map<int64_t, int> elements;
    int64_t low = 0, high = 0;
    for_each_element(shape, [&](const std::vector<int64_t>& at) {
      const int64_t index = place_of(at, strides);
      ++elements[index];
      low = std::min(low, index);
      high = std::max(high, index);
    });
    for (int64_t index = low - 2; index <= high + 2; ++index) {
      const Coordinates found = find_coordinates(index, {shape, strides});
      ASSERT_EQ(found.has_value(), elements.contains(index)) << "round " << round;
      if (!found) continue;
      EXPECT_EQ(place_of(*found, strides), index);
      for (size_t axis = 0; axis < rank; ++axis) {
        EXPECT_GE((*found)[axis], 0);
        EXPECT_LT((*found)[axis], shape[axis]);
      }
    }
  }
}

TEST(Coordinates, of_an_access_need_a_whole_element) {
  MemoryPlace memory;
  memory.element_bytes = 4;
  memory.offset = 24;
  memory.shape = {3, 4};
  EXPECT_EQ(find_coordinates(memory), Coordinates({1, 2}));
  memory.offset = 26;
  EXPECT_EQ(find_coordinates(memory), std::nullopt);
  memory.shape.clear();
  EXPECT_EQ(find_coordinates(memory), std::nullopt);
}

}  // namespace
}  // namespace assay::sanitizer
