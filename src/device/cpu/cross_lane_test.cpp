// Cross-lane arithmetic against references that are written another way, under random sets of
// active lanes.
#include "device/cpu/cross_lane.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace assay::device::cpu {
namespace {

using kernel::Combine;
using kernel::Element;
using kernel::SuspendKind;
using kernel::ThreadState;

using States = std::array<ThreadState, 32>;

constexpr uint64_t kUntouched = 0xDEADBEEFDEADBEEF;

States make_states(SuspendKind kind, uint32_t cluster = 32) {
  States states = {};
  for (ThreadState& state : states) {
    state.suspended_at = kind;
    state.cluster = cluster;
    state.results[0] = state.results[1] = kUntouched;
  }
  return states;
}

bool has(uint32_t mask, uint32_t lane) { return (mask >> lane & 1) != 0; }

std::vector<uint32_t> test_masks() {
  std::vector<uint32_t> masks = {0xFFFFFFFF, 1, 0x80000000, 0x55555555, 0x00FF00FF, 0x7FFFFFFF};
  std::mt19937 random(7);
  for (int i = 0; i < 40; ++i) masks.push_back(static_cast<uint32_t>(random()) | 1U << (i % 32));
  return masks;
}

float as_float(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
uint64_t as_bits(float value) { return std::bit_cast<uint32_t>(value); }

// Folds the upper half onto the lower half until one value is left.
template <typename Operation>
float fold(std::vector<float> values, const Operation& operation) {
  while (values.size() > 1) {
    const size_t half = values.size() / 2;
    for (size_t i = 0; i < half; ++i) values[i] = operation(values[i], values[i + half]);
    values.resize(half);
  }
  return values[0];
}

TEST(CrossLane, shuffle_gives_own_value_when_the_source_is_not_active) {
  std::mt19937 random(1);
  for (const uint32_t mask : test_masks()) {
    States states = make_states(SuspendKind::kShuffle);
    for (uint32_t lane = 0; lane < 32; ++lane) {
      states[lane].operands[0] = 0xABCD00000000 + lane;
      states[lane].operands[1] = random() % 40;  // also lanes that do not exist
    }
    execute_cross_lane({states.data(), mask});
    for (uint32_t lane = 0; lane < 32; ++lane) {
      const uint64_t source = states[lane].operands[1];
      const bool other = source < 32 && has(mask, static_cast<uint32_t>(source));
      const uint64_t expected = 0xABCD00000000 + (other ? source : lane);
      EXPECT_EQ(states[lane].results[0], has(mask, lane) ? expected : kUntouched);
    }
  }
}

TEST(CrossLane, ballot_counts_active_lanes_only) {
  for (const uint32_t mask : test_masks()) {
    States states = make_states(SuspendKind::kBallot);
    const uint32_t predicates = 0x9E3779B9;
    for (uint32_t lane = 0; lane < 32; ++lane) states[lane].operands[0] = has(predicates, lane);
    execute_cross_lane({states.data(), mask});
    for (uint32_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(states[lane].results[0], has(mask, lane) ? (mask & predicates) : kUntouched);
    }
  }
}

// Every integer reduction over 32 bits, as 64-bit values truncated at the end.
uint64_t reduce_integers(Combine combine, bool is_signed, const std::vector<uint32_t>& values) {
  const auto less = [&](uint32_t a, uint32_t b) {
    return is_signed ? static_cast<int32_t>(a) < static_cast<int32_t>(b) : a < b;
  };
  uint64_t sum = 0, product = 1, all = ~uint64_t{0}, any = 0, odd = 0;
  for (const uint32_t value : values) {
    sum += value;
    product *= value;
    all &= value;
    any |= value;
    odd ^= value;
  }
  switch (combine) {
    case Combine::kAdd: return static_cast<uint32_t>(sum);
    case Combine::kMultiply: return static_cast<uint32_t>(product);
    case Combine::kMin: return *std::min_element(values.begin(), values.end(), less);
    case Combine::kMax: return *std::max_element(values.begin(), values.end(), less);
    case Combine::kAnd: return static_cast<uint32_t>(all);
    case Combine::kOr: return static_cast<uint32_t>(any);
    case Combine::kXor: return static_cast<uint32_t>(odd);
  }
  return 0;
}

TEST(CrossLane, integer_reductions_match_a_plain_loop_for_simdgroups_and_quadgroups) {
  std::mt19937 random(2);
  for (const uint32_t mask : test_masks()) {
    for (const uint32_t cluster : {32U, 4U}) {
      for (const Element element : {Element::kInt32, Element::kUint32}) {
        for (int combine = 0; combine <= static_cast<int>(Combine::kXor); ++combine) {
          States states = make_states(SuspendKind::kReduce, cluster);
          for (ThreadState& state : states) {
            state.operands[0] = static_cast<uint32_t>(random());
            state.combine = static_cast<Combine>(combine);
            state.element = element;
          }
          execute_cross_lane({states.data(), mask});
          for (uint32_t lane = 0; lane < 32; ++lane) {
            if (!has(mask, lane)) continue;
            std::vector<uint32_t> values;
            for (uint32_t other = lane / cluster * cluster; other < (lane / cluster + 1) * cluster;
                 ++other) {
              if (has(mask, other))
                values.push_back(static_cast<uint32_t>(states[other].operands[0]));
            }
            EXPECT_EQ(states[lane].results[0], reduce_integers(static_cast<Combine>(combine),
                                                               element == Element::kInt32, values))
                << "combine " << combine << " lane " << lane << " mask " << mask;
          }
        }
      }
    }
  }
}

TEST(CrossLane, sixty_four_bit_reductions_keep_the_high_half) {
  const uint32_t mask = 0x0F0F0F0F;
  States states = make_states(SuspendKind::kReduce);
  int64_t sum = 0;
  int64_t smallest = std::numeric_limits<int64_t>::max();
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const int64_t value = (int64_t{lane} - 13) * 0x123456789AB;
    states[lane].operands[0] = static_cast<uint64_t>(value);
    states[lane].element = Element::kInt64;
    states[lane].combine = Combine::kAdd;
    if (!has(mask, lane)) continue;
    sum += value;
    smallest = std::min(smallest, value);
  }
  execute_cross_lane({states.data(), mask});
  EXPECT_EQ(static_cast<int64_t>(states[1].results[0]), sum);
  for (ThreadState& state : states) state.combine = Combine::kMin;
  execute_cross_lane({states.data(), mask});
  EXPECT_EQ(static_cast<int64_t>(states[27].results[0]), smallest);
}

TEST(CrossLane, float_reductions_follow_the_fixed_order_bit_for_bit) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> uniform(-1e6F, 1e6F);
  for (const uint32_t mask : test_masks()) {
    for (const uint32_t cluster : {32U, 4U}) {
      for (const Combine combine : {Combine::kAdd, Combine::kMultiply}) {
        States states = make_states(SuspendKind::kReduce, cluster);
        for (ThreadState& state : states) {
          const float value = uniform(random);
          state.operands[0] = as_bits(combine == Combine::kAdd ? value : 1 + value / 1e7F);
          state.combine = combine;
          state.element = Element::kFloat32;
        }
        execute_cross_lane({states.data(), mask});
        for (uint32_t lane = 0; lane < 32; ++lane) {
          if (!has(mask, lane)) continue;
          std::vector<float> values;
          for (uint32_t i = 0; i < cluster; ++i) {
            const uint32_t other = lane / cluster * cluster + i;
            const float neutral = combine == Combine::kAdd ? -0.0F : 1.0F;
            values.push_back(has(mask, other) ? as_float(states[other].operands[0]) : neutral);
          }
          const float expected = combine == Combine::kAdd
                                     ? fold(values, [](float a, float b) { return a + b; })
                                     : fold(values, [](float a, float b) { return a * b; });
          EXPECT_EQ(states[lane].results[0], as_bits(expected));
        }
      }
    }
  }
}

TEST(CrossLane, sum_of_negative_zeros_stays_negative) {
  States states = make_states(SuspendKind::kReduce);
  for (ThreadState& state : states) {
    state.operands[0] = as_bits(-0.0F);
    state.combine = Combine::kAdd;
    state.element = Element::kFloat32;
  }
  execute_cross_lane({states.data(), 0x00000104});
  EXPECT_EQ(states[2].results[0], as_bits(-0.0F));
}

TEST(CrossLane, float_min_and_max_ignore_nan_unless_all_lanes_are_nan) {
  for (const Combine combine : {Combine::kMin, Combine::kMax}) {
    States states = make_states(SuspendKind::kReduce);
    for (uint32_t lane = 0; lane < 32; ++lane) {
      const float value = lane % 3 == 0 ? std::nanf("") : static_cast<float>(lane) - 15.5F;
      states[lane].operands[0] = as_bits(value);
      states[lane].combine = combine;
      states[lane].element = Element::kFloat32;
    }
    execute_cross_lane({states.data(), 0xFFFFFFFF});
    for (const ThreadState& state : states) {
      EXPECT_EQ(as_float(state.results[0]), combine == Combine::kMin ? -14.5F : 15.5F);
    }
    const uint32_t every_third = 0x49249249;
    execute_cross_lane({states.data(), every_third});
    // Inactive lanes hold an infinity, which is not NaN: that is what remains.
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(as_float(states[0].results[0]), combine == Combine::kMin ? infinity : -infinity);
  }
}

TEST(CrossLane, scans_combine_the_active_lanes_before) {
  std::mt19937 random(4);
  for (const uint32_t mask : test_masks()) {
    for (const uint32_t cluster : {32U, 4U}) {
      for (const SuspendKind kind : {SuspendKind::kScanInclusive, SuspendKind::kScanExclusive}) {
        for (const Combine combine : {Combine::kAdd, Combine::kMultiply}) {
          States states = make_states(kind, cluster);
          for (ThreadState& state : states) {
            // Exact in whatever order they are combined.
            const float sum_part = static_cast<float>(random() % 1000) - 500;
            const float factor = random() % 2 == 0 ? 0.5F : -2.0F;
            state.operands[0] = as_bits(combine == Combine::kAdd ? sum_part : factor);
            state.combine = combine;
            state.element = Element::kFloat32;
          }
          execute_cross_lane({states.data(), mask});
          for (uint32_t lane = 0; lane < 32; ++lane) {
            if (!has(mask, lane)) continue;
            // From the definition, for each lane anew.
            float expected = combine == Combine::kAdd ? 0.0F : 1.0F;
            const uint32_t end = kind == SuspendKind::kScanInclusive ? lane + 1 : lane;
            for (uint32_t other = lane / cluster * cluster; other < end; ++other) {
              if (!has(mask, other)) continue;
              const float value = as_float(states[other].operands[0]);
              expected = combine == Combine::kAdd ? expected + value : expected * value;
            }
            EXPECT_EQ(states[lane].results[0], as_bits(expected));
          }
        }
      }
    }
  }
}

TEST(CrossLane, integer_scans_wrap_and_keep_64_bits) {
  States states = make_states(SuspendKind::kScanInclusive);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    states[lane].operands[0] = uint64_t{1} << 59;
    states[lane].combine = Combine::kAdd;
    states[lane].element = Element::kUint64;
  }
  execute_cross_lane({states.data(), 0xFFFFFFFF});
  for (uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(states[lane].results[0], (uint64_t{1} << 59) * (lane + 1));
  }
}

// Position of a lane's first element, as Metal lays out an 8x8 matrix over a simdgroup.
struct Position {
  uint32_t row, column;
};
constexpr std::array<Position, 32> kPositions = {{
    {0, 0}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 2}, {3, 0}, {3, 2}, {0, 4}, {0, 6}, {1, 4},
    {1, 6}, {2, 4}, {2, 6}, {3, 4}, {3, 6}, {4, 0}, {4, 2}, {5, 0}, {5, 2}, {6, 0}, {6, 2},
    {7, 0}, {7, 2}, {4, 4}, {4, 6}, {5, 4}, {5, 6}, {6, 4}, {6, 6}, {7, 4}, {7, 6},
}};

TEST(CrossLane, matrix_product_matches_integers_in_metals_lane_layout) {
  std::mt19937 random(5);
  std::array<std::array<std::array<int, 8>, 8>, 3> matrices;
  for (auto& matrix : matrices) {
    for (auto& row : matrix) {
      for (int& value : row) value = static_cast<int>(random() % 41) - 20;
    }
  }
  States states = make_states(SuspendKind::kMatrixMultiplyAccumulate);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const auto [row, column] = kPositions[lane];
    for (uint32_t m = 0; m < 3; ++m) {
      for (uint32_t e = 0; e < 2; ++e) {
        const auto value = static_cast<float>(matrices[m][row][column + e]);
        states[lane].operands[m * 2 + e] = as_bits(value);
      }
    }
  }
  execute_cross_lane({states.data(), 0xFFFFFFFF});
  const auto& [a, b, c] = matrices;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t e = 0; e < 2; ++e) {
      const uint32_t row = kPositions[lane].row;
      const uint32_t column = kPositions[lane].column + e;
      int expected = c[row][column];
      for (uint32_t k = 0; k < 8; ++k) expected += a[row][k] * b[k][column];
      EXPECT_EQ(as_float(states[lane].results[e]), static_cast<float>(expected));
    }
  }
}

TEST(CrossLane, matrix_product_rounds_once_per_step_in_rising_order) {
  States states = make_states(SuspendKind::kMatrixMultiplyAccumulate);
  std::mt19937 random(6);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::array<std::array<float, 8>, 8> a, b;
  for (auto* matrix : {&a, &b}) {
    for (auto& row : *matrix) {
      for (float& value : row) value = uniform(random);
    }
  }
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const auto [row, column] = kPositions[lane];
    for (uint32_t e = 0; e < 2; ++e) {
      states[lane].operands[e] = as_bits(a[row][column + e]);
      states[lane].operands[2 + e] = as_bits(b[row][column + e]);
      states[lane].operands[4 + e] = as_bits(0.25F);
    }
  }
  execute_cross_lane({states.data(), 0xFFFFFFFF});
  for (uint32_t lane = 0; lane < 32; ++lane) {
    float expected = 0.25F;
    const auto [row, column] = kPositions[lane];
    for (uint32_t k = 0; k < 8; ++k) expected = std::fma(a[row][k], b[k][column], expected);
    EXPECT_EQ(states[lane].results[0], as_bits(expected));
  }
}

}  // namespace
}  // namespace assay::device::cpu
