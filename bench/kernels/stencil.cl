// 5-point stencil: a work-group of 16x16 stages its tile and a halo of one; outside is 0.
kernel void stencil(global const float* x, global float* y, uint width, uint height) {
  local float tile[18][18];
  uint at_x = get_global_id(0), at_y = get_global_id(1);
  uint thread_x = get_local_id(0), thread_y = get_local_id(1);
  uint tx = thread_x + 1;
  uint ty = thread_y + 1;
  uint center = at_y * width + at_x;
  tile[ty][tx] = x[center];
  if (thread_x == 0) tile[ty][0] = at_x > 0 ? x[center - 1] : 0;
  if (thread_x == 15) tile[ty][17] = at_x + 1 < width ? x[center + 1] : 0;
  if (thread_y == 0) tile[0][tx] = at_y > 0 ? x[center - width] : 0;
  if (thread_y == 15) tile[17][tx] = at_y + 1 < height ? x[center + width] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  float neighbours = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
  y[center] = 0.5f * tile[ty][tx] + 0.125f * neighbours;
}
