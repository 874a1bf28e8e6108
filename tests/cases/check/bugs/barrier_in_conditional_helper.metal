// The barrier is in a helper that only some threads call.
#include <metal_stdlib>
using namespace metal;

static void publish(threadgroup int* board, uint slot, int value) {
  board[slot] = value;
  threadgroup_barrier(mem_flags::mem_threadgroup);  // BUG: barrier-divergence
}

kernel void announce(device const int* x [[buffer(0)]],
                     device int* y [[buffer(1)]],
                     uint lid [[thread_position_in_threadgroup]],
                     uint gid [[thread_position_in_grid]]) {
  threadgroup int board[24];
  board[lid] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (x[gid] > 7) publish(board, lid, x[gid]);
  y[gid] = board[lid];
}
