// The tile has 17 columns, of which threads fill 16; the loop reads the last one in its last round.
#include <metal_stdlib>
using namespace metal;

kernel void padded_row_sums(device const float* in [[buffer(0)]],
                            device float* out [[buffer(1)]],
                            uint2 at [[thread_position_in_threadgroup]]) {
  threadgroup float tile[8][17];
  tile[at.y][at.x] = in[at.y * 16 + at.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (int c = 0; c < 17; ++c) {
    sum += tile[at.y][c];  // BUG: uninitialised-threadgroup
  }
  out[at.y * 16 + at.x] = sum;
}
