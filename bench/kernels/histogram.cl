// 256 bins of bytes: a work-group of 256 counts a block in local atomics, then adds its bins to the
// result.
kernel void histogram(global const uchar* x, global uint* bins, uint per_group) {
  local uint counts[256];
  uint group = get_group_id(0);
  uint thread_index = get_local_id(0);
  counts[thread_index] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = thread_index; i < per_group; i += 256)
    atomic_inc(&counts[x[group * per_group + i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[thread_index], counts[thread_index]);
}
