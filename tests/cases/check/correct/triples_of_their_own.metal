// Three elements for each thread, read and written where they are.
#include <metal_stdlib>
using namespace metal;

kernel void grey(device float* parts [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  float mean = (parts[3 * i] + parts[3 * i + 1] + parts[3 * i + 2]) / 3.0f;
  parts[3 * i] = mean;
  parts[3 * i + 1] = mean;
  parts[3 * i + 2] = mean;
}
