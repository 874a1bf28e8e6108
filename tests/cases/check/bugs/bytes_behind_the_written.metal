// Forty bytes get a value, sixty-four are read.
#include <metal_stdlib>
using namespace metal;

kernel void bytes_behind_the_written(device uchar* scratch [[buffer(0)]],
                                     device uint* out [[buffer(1)]],
                                     uint i [[thread_position_in_grid]]) {
  if (i < 40) scratch[i] = uchar(i);
  threadgroup_barrier(mem_flags::mem_device);
  out[i] = scratch[i];  // BUG: uninitialised-device
}
