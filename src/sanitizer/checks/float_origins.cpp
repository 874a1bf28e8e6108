// See float_origins.h.
#include "sanitizer/checks/float_origins.h"

#include <type_traits>

namespace assay::sanitizer {

// Zeroed pages cost nothing until they are touched, which most launches never do.
FloatOrigins::FloatOrigins(bool is_used)
    : origins_(is_used ? static_cast<Origin*>(std::calloc(kPlaces, sizeof(Origin))) : nullptr) {
  static_assert(std::is_trivially_copyable_v<Origin>);
}

void FloatOrigins::set(uint32_t site, uint32_t thread, uint32_t kind, const MadeFloat& made) {
  if (!origins_) return;
  Origin& origin = at(site, thread);
  if (made) {
    origin = {round_, site, made, static_cast<uint16_t>(thread), static_cast<uint16_t>(kind)};
  } else if (holds(origin, site, thread)) {
    origin.round = 0;
  }
}

MadeFloat FloatOrigins::find(std::span<const uint32_t> sites, uint32_t thread, uint32_t kind,
                             uint32_t bits) const {
  if (!origins_) return {};
  for (const uint32_t site : sites) {
    const Origin& origin = at(site, thread);
    if (holds(origin, site, thread) && ((uint32_t{origin.kind} ^ kind) & bits) == 0)
      return origin.made;
  }
  return {};
}

}  // namespace assay::sanitizer
