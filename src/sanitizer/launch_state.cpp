// See launch_state.h.
#include "sanitizer/launch_state.h"

namespace assay::sanitizer {
namespace {

SiteFacts find_facts(const kernel::CheckSite& site) {
  return {.bytes = site.bytes,
          .object_bytes = site.object_bytes,
          .misaligned_bits = static_cast<uint32_t>(site.alignment - 1),
          .object = static_cast<int16_t>(ObjectTable::object_of(site)),
          .reads = !is_write(site.kind) || site.kind == kernel::SiteKind::kAtomicUpdate,
          .writes = is_write(site.kind),
          .is_atomic = is_atomic(site.kind),
          .is_block = site.kind == kernel::SiteKind::kBlockLoad,
          .is_somewhere = site.memory == kernel::SiteMemory::kSeveral};
}

}  // namespace

void LaunchState::set_table(const kernel::CheckTable& kernel_table) {
  table = &kernel_table;
  facts.clear();
  for (const kernel::CheckSite& site : table->sites) facts.push_back(find_facts(site));
}

}  // namespace assay::sanitizer
