// One bit per thread of a 64-thread group in a 32-bit word.
#include <metal_stdlib>
using namespace metal;

kernel void ballot(device const float* x [[buffer(0)]],
                   device atomic_uint* mask [[buffer(1)]],
                   uint lid [[thread_position_in_threadgroup]]) {
  uint bit = x[lid] > 2.0f ? 1u << lid : 0u;  // BUG: shift-out-of-range
  atomic_fetch_or_explicit(mask, bit, memory_order_relaxed);
}
