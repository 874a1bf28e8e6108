// One thread takes the root of what rounding made negative; another one adds all roots up.
#include <metal_stdlib>
using namespace metal;

kernel void norms(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  threadgroup float* roots [[threadgroup(0)]],
                  uint group [[threadgroup_position_in_grid]],
                  uint lid [[thread_index_in_threadgroup]],
                  uint size [[threads_per_threadgroup]]) {
  roots[lid] = sqrt(x[group * size + lid] - 0.5f);  // BUG: not-finite
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lid != 3) return;
  float sum = 0;
  for (uint k = 0; k < size; ++k) sum += roots[k];
  y[group] = sum;
}
