// Two arrays of different sizes behind one pointer, and a pointer that walks to the end of each.
#include <metal_stdlib>
using namespace metal;

kernel void sums(device const int* values [[buffer(0)]],
                 device int* results [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  int few[3];
  int many[9];
  for (int k = 0; k < 3; ++k) few[k] = values[k] + int(i);
  for (int k = 0; k < 9; ++k) many[k] = values[k] * int(i);
  thread int* mine = i % 3 == 0 ? few : many;
  int count = i % 3 == 0 ? 3 : 9;
  int sum = 0;
  for (thread int* at = mine; at != mine + count; ++at) sum += *at;
  for (int k = count - 1; k >= 0; --k) {
    if (sum % (k + 2) == 0) mine[k] += sum;
  }
  results[i] = sum + few[i % 3] + many[i % 9];
}
