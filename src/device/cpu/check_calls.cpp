// See check_calls.h.
#include "device/cpu/check_calls.h"

namespace assay::device::cpu {
namespace {

kernel::GroupChecker& checker_of(const kernel::GroupContext* context) {
  return *static_cast<kernel::GroupChecker*>(context->checker);
}

}  // namespace

uint32_t check_access(const kernel::GroupContext* context, uint32_t site, uint32_t mask,
                      uint32_t first_thread, uint64_t address, int64_t stride,
                      const uint64_t* addresses, const uint64_t* values, uint64_t object) {
  if (mask == 0) return 0;
  return checker_of(context).on_access(
      {{site, mask, first_thread}, address, stride, addresses, values, object});
}

void check_fine_access(const kernel::GroupContext* context, uint32_t site, uint32_t mask,
                       uint32_t first_thread, uint64_t address, int64_t stride,
                       const uint64_t* addresses, const uint64_t* values, uint64_t object) {
  if (mask == 0) return;
  checker_of(context).on_fine_access(
      {{site, mask, first_thread}, address, stride, addresses, values, object});
}

bool check_sweep(const kernel::GroupContext* context, uint32_t site, uint32_t mask,
                 uint32_t first_thread, const uint64_t* first, const uint64_t* second,
                 const uint64_t* last, const uint64_t* rounds, uint64_t object) {
  if (mask == 0) return true;
  return checker_of(context).on_sweep(
      kernel::LaneSweep{{site, mask, first_thread}, first, second, last, rounds, object});
}

bool check_line_sweep(const kernel::GroupContext* context, uint32_t site, uint32_t mask,
                      uint32_t first_thread, uint64_t first, uint64_t second, uint64_t last,
                      uint64_t rounds, int64_t stride, uint64_t object) {
  if (mask == 0) return true;
  return checker_of(context).on_sweep(
      kernel::LineSweep{{site, mask, first_thread}, first, second, last, rounds, stride, object});
}

void check_condition(const kernel::GroupContext* context, uint32_t site, uint32_t mask,
                     uint32_t first_thread, const uint64_t* values) {
  if (mask != 0) checker_of(context).on_condition({site, mask, first_thread}, values);
}

void check_barrier(const kernel::GroupContext* context, uint32_t site, uint32_t mask,
                   uint32_t first_thread) {
  if (mask != 0) checker_of(context).on_barrier({site, mask, first_thread});
}

}  // namespace assay::device::cpu
