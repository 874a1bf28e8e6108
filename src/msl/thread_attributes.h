// The names of the thread attributes, in one table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "kernel/kernel_info.h"

namespace assay::msl {

struct NamedThreadAttribute {
  std::string_view name;
  kernel::ThreadAttribute attribute;
  uint32_t most_components = 1;
};

inline constexpr NamedThreadAttribute kThreadAttributeNames[] = {
    {"thread_position_in_grid", kernel::ThreadAttribute::kThreadPositionInGrid, 3},
    {"thread_position_in_threadgroup", kernel::ThreadAttribute::kThreadPositionInThreadgroup, 3},
    {"thread_index_in_threadgroup", kernel::ThreadAttribute::kThreadIndexInThreadgroup},
    {"threadgroup_position_in_grid", kernel::ThreadAttribute::kThreadgroupPositionInGrid, 3},
    {"threads_per_grid", kernel::ThreadAttribute::kThreadsPerGrid, 3},
    {"threads_per_threadgroup", kernel::ThreadAttribute::kThreadsPerThreadgroup, 3},
    {"threadgroups_per_grid", kernel::ThreadAttribute::kThreadgroupsPerGrid, 3},
    {"dispatch_threads_per_threadgroup", kernel::ThreadAttribute::kDispatchThreadsPerThreadgroup,
     3},
    {"grid_origin", kernel::ThreadAttribute::kGridOrigin, 3},
    {"grid_size", kernel::ThreadAttribute::kGridSize, 3},
    {"thread_index_in_simdgroup", kernel::ThreadAttribute::kThreadIndexInSimdgroup},
    {"simdgroup_index_in_threadgroup", kernel::ThreadAttribute::kSimdgroupIndexInThreadgroup},
    {"simdgroups_per_threadgroup", kernel::ThreadAttribute::kSimdgroupsPerThreadgroup},
    {"dispatch_simdgroups_per_threadgroup",
     kernel::ThreadAttribute::kDispatchSimdgroupsPerThreadgroup},
    {"threads_per_simdgroup", kernel::ThreadAttribute::kThreadsPerSimdgroup},
    {"thread_execution_width", kernel::ThreadAttribute::kThreadExecutionWidth},
    {"thread_index_in_quadgroup", kernel::ThreadAttribute::kThreadIndexInQuadgroup},
    {"quadgroup_index_in_threadgroup", kernel::ThreadAttribute::kQuadgroupIndexInThreadgroup},
    {"quadgroups_per_threadgroup", kernel::ThreadAttribute::kQuadgroupsPerThreadgroup},
    {"dispatch_quadgroups_per_threadgroup",
     kernel::ThreadAttribute::kDispatchQuadgroupsPerThreadgroup},
};

inline bool is_thread_attribute(std::string_view name) {
  return std::ranges::find(kThreadAttributeNames, name, &NamedThreadAttribute::name) !=
         std::end(kThreadAttributeNames);
}

}  // namespace assay::msl
