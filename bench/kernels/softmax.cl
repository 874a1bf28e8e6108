// One work-group of 256 normalises one row: greatest value, sum of exponentials, result.
kernel void softmax(global const float* x, global float* y, uint columns) {
  local float partial[256];
  uint row = get_group_id(0);
  uint thread_index = get_local_id(0);
  global const float* from = x + row * columns;
  global float* to = y + row * columns;

  float greatest = -INFINITY;
  for (uint column = thread_index; column < columns; column += 256)
    greatest = fmax(greatest, from[column]);
  partial[thread_index] = greatest;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_count = 128; half_count > 0; half_count /= 2) {
    if (thread_index < half_count)
      partial[thread_index] = fmax(partial[thread_index], partial[thread_index + half_count]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  greatest = partial[0];
  barrier(CLK_LOCAL_MEM_FENCE);

  float sum = 0;
  for (uint column = thread_index; column < columns; column += 256) {
    float power = exp(from[column] - greatest);
    to[column] = power;
    sum += power;
  }
  partial[thread_index] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_count = 128; half_count > 0; half_count /= 2) {
    if (thread_index < half_count) partial[thread_index] += partial[thread_index + half_count];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float factor = 1 / partial[0];
  for (uint column = thread_index; column < columns; column += 256) to[column] *= factor;
}
