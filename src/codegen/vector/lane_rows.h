// Addresses that differ between lanes in a pattern known while compiling, such as the 8x8 tile of a
// simdgroup_matrix: a few rows in memory, each wherever a uniform value puts it, and lanes at
// constant distances inside of them.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "codegen/vector/divergence.h"
#include "codegen/vector/lane_builder.h"

namespace assay::codegen {

using LaneNumbers = std::array<int64_t, kLanes>;

// base + the sum over `terms` of factor * steps[lane] + offsets[lane], in bytes.
struct LaneAddress {
  // Uniform and of 64 bits once extended.
  struct Factor {
    llvm::Value* value = nullptr;
    bool is_signed = false;
    auto operator<=>(const Factor&) const = default;
  };
  llvm::Value* base = nullptr;
  std::map<Factor, LaneNumbers> terms;
  LaneNumbers offsets = {};

  // Apart from constant distances.
  bool has_rows_of(const LaneAddress& other) const {
    return base == other.base && terms == other.terms;
  }
};

// Lanes of equal steps and similar offsets share a row.
struct LaneRows {
  std::array<unsigned, kLanes> row_of;
  std::vector<unsigned> first_lanes;  // of each row

  unsigned first_lane(unsigned lane) const { return first_lanes[row_of[lane]]; }
};
inline constexpr int64_t kMaxRowBytes = 64;
LaneRows find_rows(const LaneAddress& address);

// Nothing when the lanes' distances are not known, or when rows would not pay. Every value that the
// address names is uniform in `user`.
std::optional<LaneAddress> find_lane_address(llvm::Value* pointer, llvm::Type* element,
                                             const llvm::BasicBlock& user,
                                             const Divergence& divergence);

}  // namespace assay::codegen
