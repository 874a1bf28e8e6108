// One case of a switch over the lane waits, the others do not.
#include <metal_stdlib>
using namespace metal;

kernel void roles(device int* data [[buffer(0)]],
                  uint lid [[thread_position_in_threadgroup]]) {
  threadgroup int sum;
  switch (lid % 3) {
    case 0:
      data[lid] += 1;
      break;
    case 1:
      if (lid == 1) sum = 5;
      threadgroup_barrier(mem_flags::mem_threadgroup);  // BUG: barrier-divergence
      data[lid] += sum;
      break;
    default:
      data[lid] -= 1;
      break;
  }
}
