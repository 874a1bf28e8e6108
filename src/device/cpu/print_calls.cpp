// See print_calls.h.
#include "device/cpu/print_calls.h"

#include <algorithm>

namespace assay::device::cpu {

void print(const kernel::GroupContext* context, uint32_t thread, const char* format, uint32_t count,
           uint64_t types, const uint64_t* words) {
  kernel::PrintRecord record{.group = context->group_number(),
                             .thread = thread,
                             .count = std::min(count, kernel::kMaxPrintWords),
                             .format = format,
                             .types = types};
  std::copy_n(words, record.count, record.words);
  static_cast<kernel::PrintLog*>(context->printer)->add(record);
}

}  // namespace assay::device::cpu
