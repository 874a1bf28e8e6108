// See launch_state.h.
#include "sanitizer/launch_state.h"

#include <algorithm>

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
          .is_early = site.kind == kernel::SiteKind::kEarlyLoad,
          .is_somewhere = site.memory == kernel::SiteMemory::kSeveral,
          .is_unknown = site.memory == kernel::SiteMemory::kUnknown,
          .is_unset = site.kind == kernel::SiteKind::kUnsetStore ||
                      site.kind == kernel::SiteKind::kUnsetLoad};
}

}  // namespace

void LaunchState::set_table(const kernel::CheckTable& kernel_table) {
  table = &kernel_table;
  facts.clear();
  for (const kernel::CheckSite& site : table->sites) facts.push_back(find_facts(site));
}

// Pointers that kernels load may point into any buffer, and to constants and variables of threads.
// Only those lie nowhere near a buffer.
bool LaunchState::is_astray(uint64_t address, const SiteFacts& site_facts) const {
  if (site_facts.is_somewhere) return true;
  if (!site_facts.is_unknown || !device_memory) return false;
  if (objects.find_near(address, /*is_sure=*/false) == ObjectTable::kNone) return false;
  auto next = std::ranges::upper_bound(*device_memory, address, {}, &Extent::begin);
  return next == device_memory->begin() || !std::prev(next)->holds(address, site_facts.bytes);
}

}  // namespace assay::sanitizer
