// A barrier orders one threadgroup; the neighbour's first element belongs to another.
#include <metal_stdlib>
using namespace metal;

kernel void two_phase(device const int* in [[buffer(0)]],
                      device int* tmp [[buffer(1)]],
                      device int* out [[buffer(2)]],
                      uint gid [[thread_position_in_grid]],
                      uint n [[threads_per_grid]]) {
  tmp[gid] = in[gid] + 1;  // BUG: race-device
  threadgroup_barrier(mem_flags::mem_device);
  out[gid] = tmp[gid] + tmp[(gid + 1) % n];  // BUG: race-device (uninitialised-device)
}
