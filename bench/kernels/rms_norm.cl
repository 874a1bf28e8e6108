// One work-group of 256 normalises one row by its root mean square; barrier tree, as PoCL has no
// sub-groups.
kernel void rms_norm(global const float* x, global const float* weight, global float* y,
                     uint columns) {
  local float partial[256];
  uint row = get_group_id(0);
  uint thread_index = get_local_id(0);
  global const float* from = x + row * columns;
  float squares = 0;
  for (uint column = thread_index; column < columns; column += 256)
    squares += from[column] * from[column];
  partial[thread_index] = squares;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_count = 128; half_count > 0; half_count /= 2) {
    if (thread_index < half_count) partial[thread_index] += partial[thread_index + half_count];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float factor = rsqrt(partial[0] / columns + 1e-5f);
  for (uint column = thread_index; column < columns; column += 256)
    y[row * columns + column] = from[column] * factor * weight[column];
}
