// A work-group of 32x8 transposes a tile of 32x32 through local memory.
kernel void transpose(global const float* x, global float* y, uint width) {
  local float tile[32][33];
  uint group_x = get_group_id(0), group_y = get_group_id(1);
  uint thread_x = get_local_id(0), thread_y = get_local_id(1);
  for (uint row = thread_y; row < 32; row += 8)
    tile[row][thread_x] = x[(group_y * 32 + row) * width + group_x * 32 + thread_x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint row = thread_y; row < 32; row += 8)
    y[(group_x * 32 + row) * width + group_y * 32 + thread_x] = tile[thread_x][row];
}
