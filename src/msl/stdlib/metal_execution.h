// Who carries out an operation together: a thread, or simdgroups of a threadgroup.
#pragma once

#include <metal_stdlib>

namespace metal {

template <size_t Count>
struct execution_threads {
  static_assert(Count == 1, "an operation is for one thread or for simdgroups");
  METAL_FUNC static constexpr uint size() { return Count; }
};
template <size_t Count>
struct execution_simdgroups {
  static_assert(Count > 0, "an operation needs a simdgroup");
  METAL_FUNC static constexpr uint size() { return Count; }
};
typedef execution_threads<1> execution_thread;
typedef execution_simdgroups<1> execution_simdgroup;

}  // namespace metal
