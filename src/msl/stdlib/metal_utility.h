// swap and move. They end in an empty pack (see metal_operands.h), so that a kernel's own functions
// of these names come first.
#pragma once

#include "metal_operands.h"

namespace metal {

#define ASSAY_UTILITY(space)                                                         \
  template <typename T, typename... Rest>                                            \
  METAL_FUNC constexpr void swap(space T& a, space T& b, __assay::absent<Rest>...) { \
    T kept(a);                                                                       \
    a = b;                                                                           \
    b = kept;                                                                        \
  }                                                                                  \
  template <typename T, typename... Rest>                                            \
  METAL_FUNC constexpr space T&& move(space T& object, __assay::absent<Rest>...) {   \
    return static_cast<space T&&>(object);                                           \
  }
ASSAY_UTILITY(thread)
ASSAY_UTILITY(device)
ASSAY_UTILITY(threadgroup)
#undef ASSAY_UTILITY

}  // namespace metal
