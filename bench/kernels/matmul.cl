// C = A B, square: a work-group of 16x16 walks along tiles of 16x16 in local memory.
kernel void matmul(global const float* a, global const float* b, global float* c, uint size) {
  local float tile_a[16][16];
  local float tile_b[16][16];
  uint at_x = get_global_id(0), at_y = get_global_id(1);
  uint thread_x = get_local_id(0), thread_y = get_local_id(1);
  float sum = 0;
  for (uint step = 0; step < size; step += 16) {
    tile_a[thread_y][thread_x] = a[at_y * size + step + thread_x];
    tile_b[thread_y][thread_x] = b[(step + thread_y) * size + at_x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 16; ++k) sum += tile_a[thread_y][k] * tile_b[k][thread_x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[at_y * size + at_x] = sum;
}
