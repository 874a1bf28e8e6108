// Each thread leaves what it found for its neighbour. Those that found nothing give the weight no
// value; the copy to threadgroup memory takes it along all the same.
#include <metal_stdlib>
using namespace metal;

struct Found {
  uint index;
  float weight;
};

kernel void neighbours(device const float* input [[buffer(0)]],
                       device float* output [[buffer(1)]],
                       uint i [[thread_position_in_grid]],
                       uint t [[thread_position_in_threadgroup]]) {
  threadgroup Found found[64];
  Found own;
  own.index = t;
  if (t % 4 != 3) own.weight = input[i] * 2;
  found[t] = own;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  Found other = found[(t + 1) % 64];
  output[i] = float(other.index) + other.weight;  // BUG: uninitialised-thread
}
