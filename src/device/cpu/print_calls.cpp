// See print_calls.h.
#include "device/cpu/print_calls.h"

#include <algorithm>

namespace assay::device::cpu {

void print(const kernel::GroupContext* context, uint32_t thread, const char* format, uint32_t count,
           uint64_t types, const uint64_t* words) {
  const uint32_t* position = context->threadgroup_position_in_grid;
  const uint32_t* groups = context->threadgroups_per_grid;
  kernel::PrintRecord record{
      .group = (uint64_t{position[2]} * groups[1] + position[1]) * groups[0] + position[0],
      .thread = thread,
      .count = std::min(count, kernel::kMaxPrintWords),
      .format = format,
      .types = types};
  std::copy_n(words, record.count, record.words);
  static_cast<kernel::PrintLog*>(context->printer)->add(record);
}

}  // namespace assay::device::cpu
