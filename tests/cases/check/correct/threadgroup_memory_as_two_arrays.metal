// One threadgroup argument, cut into floats and indices.
#include <metal_stdlib>
using namespace metal;

kernel void block_argmin(device const float* x [[buffer(0)]],
                         device uint* where_min [[buffer(1)]],
                         threadgroup char* memory [[threadgroup(0)]],
                         uint gid [[thread_position_in_grid]],
                         uint lid [[thread_position_in_threadgroup]],
                         uint size [[threads_per_threadgroup]],
                         uint group [[threadgroup_position_in_grid]]) {
  threadgroup float* values = (threadgroup float*)memory;
  threadgroup uint* indices = (threadgroup uint*)(memory + size * sizeof(float));
  values[lid] = x[gid];
  indices[lid] = gid;
  for (uint step = size / 2; step > 0; step /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (lid < step && values[lid + step] < values[lid]) {
      values[lid] = values[lid + step];
      indices[lid] = indices[lid + step];
    }
  }
  if (lid == 0) where_min[group] = indices[0];
}
