// Two contents of one range, element by element: where they differ and by how much.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "replay/element_type.h"
#include "replay/trace_tables.h"

namespace assay::replay {

struct Comparison {
  uint64_t elements = 0;
  uint64_t differing = 0;  // in at least one bit
  uint64_t first = 0;      // element of the range, where there is a difference
  std::string captured = {};
  std::string replayed = {};
  // Of floating types. Where one of two is NaN there is no distance.
  std::optional<uint64_t> max_ulps = {};
  bool has_new_nan = false;
  // How many are further apart than the tolerance; all that differ unless the type is floating.
  uint64_t beyond_tolerance = 0;
};

// Both have the same size. `tolerance` is relative to the larger of the two numbers and the mean
// magnitude of all captured ones, so that sums near zero are not asked for more than they can give.
// Types of 16 bits may always be one step apart.
Comparison compare_elements(ElementType type, std::span<const std::byte> captured,
                            std::span<const std::byte> replayed, double tolerance);

// Where an element is that lies `offset` elements behind the first place of an array; nothing when
// no index of the array gives it.
std::optional<std::vector<int64_t>> find_coordinates(const ArrayRow& array, int64_t offset);

}  // namespace assay::replay
