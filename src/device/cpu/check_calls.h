// What the code of checked kernels calls: hands over to the GroupChecker of its group.
#pragma once

#include <cstdint>

#include "kernel/checks.h"

namespace assay::device::cpu {

// The arguments are those of kernel::LaneAccess, kernel::LaneSweep,
// kernel::LineSweep and kernel::LaneEvent.
uint32_t check_access(const kernel::GroupContext* context, uint32_t site, uint32_t mask,
                      uint32_t first_thread, uint64_t address, int64_t stride,
                      const uint64_t* addresses, const uint64_t* values, uint64_t object);
void check_fine_access(const kernel::GroupContext* context, uint32_t site, uint32_t mask,
                       uint32_t first_thread, uint64_t address, int64_t stride,
                       const uint64_t* addresses, const uint64_t* values, uint64_t object);
bool check_sweep(const kernel::GroupContext* context, uint32_t site, uint32_t mask,
                 uint32_t first_thread, const uint64_t* first, const uint64_t* second,
                 const uint64_t* last, const uint64_t* rounds, uint64_t object);
bool check_line_sweep(const kernel::GroupContext* context, uint32_t site, uint32_t mask,
                      uint32_t first_thread, uint64_t first, uint64_t second, uint64_t last,
                      uint64_t rounds, int64_t stride, uint64_t object);
void check_condition(const kernel::GroupContext* context, uint32_t site, uint32_t mask,
                     uint32_t first_thread, const uint64_t* values);
void check_barrier(const kernel::GroupContext* context, uint32_t site, uint32_t mask,
                   uint32_t first_thread);

}  // namespace assay::device::cpu
