// Atomics in the first dispatch, plain reads in the second.
#include <metal_stdlib>
using namespace metal;

kernel void count(device const uint* x [[buffer(0)]],
                  device atomic_uint* bins [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&bins[x[i] % 7], 1u, memory_order_relaxed);
}

kernel void shares(device const uint* bins [[buffer(0)]],
                   device float* out [[buffer(1)]],
                   constant float& total [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  out[i] = float(bins[i]) / total;
}
