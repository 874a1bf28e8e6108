// One work-group of 256 sums one row with a barrier tree in local memory.
kernel void row_sum(global const float* x, global float* sums, uint columns) {
  local float partial[256];
  uint row = get_group_id(0);
  uint thread_index = get_local_id(0);
  float sum = 0;
  for (uint column = thread_index; column < columns; column += 256)
    sum += x[row * columns + column];
  partial[thread_index] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_count = 128; half_count > 0; half_count /= 2) {
    if (thread_index < half_count) partial[thread_index] += partial[thread_index + half_count];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (thread_index == 0) sums[row] = partial[0];
}
