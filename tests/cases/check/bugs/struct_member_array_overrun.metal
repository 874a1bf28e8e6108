// Writing behind the end of an array member of a thread's struct.
#include <metal_stdlib>
using namespace metal;

struct TopK {
  float value[4];
  int count;
};

kernel void largest(device const float* x [[buffer(0)]],
                    device float* top [[buffer(1)]],
                    constant uint& k [[buffer(2)]],
                    constant uint& row_length [[buffer(3)]],
                    uint row [[thread_position_in_grid]]) {
  TopK best;
  best.count = 0;
  for (uint c = 0; c < row_length; ++c) {
    if (best.count < 4) best.value[best.count++] = x[row * row_length + c];
  }
  for (uint j = 0; j < k; ++j) {
    float v = best.value[j + 2];  // BUG: bounds-read
    top[row * k + j] = v;
  }
}
