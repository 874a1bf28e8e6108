// Loops that read forwards, backwards, by rows, by columns, with steps of the threadgroup's size and
// with a different number of rounds for each thread, none at all included.
#include <metal_stdlib>
using namespace metal;

kernel void many_ways(device const float* in [[buffer(0)]],
                      device float* out [[buffer(1)]],
                      constant uint& count [[buffer(2)]],
                      uint i [[thread_position_in_threadgroup]],
                      uint size [[threads_per_threadgroup]]) {
  threadgroup float tile[48 * 5];
  for (uint k = i; k < 48 * 5; k += size) tile[k] = in[k % count];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (uint k = i; k < count; k += size) sum += in[k];
  for (int k = int(i) * 5 + 4; k >= int(i) * 5; --k) sum -= tile[k];
  for (uint row = 0; row < 5; ++row) sum += tile[row * 48 + i];
  for (uint k = 0; k < i; ++k) sum += tile[k] * in[i - k];
  uint wrapped = 0u - 2u;
  for (uint k = 0; k < 9; ++k, ++wrapped) {
    if (wrapped < count) sum += in[wrapped];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  tile[i] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = 0; k < 48; k += 4) sum += tile[k];
  out[i] = sum;
}
