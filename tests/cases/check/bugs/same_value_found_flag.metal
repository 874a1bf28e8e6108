// Every thread that finds one sets the flag: the result does not depend on the order.
#include <metal_stdlib>
using namespace metal;

kernel void contains(device const int* x [[buffer(0)]],
                     device int* found [[buffer(1)]],
                     constant int& key [[buffer(2)]],
                     uint i [[thread_position_in_grid]]) {
  if (x[i] == key) found[0] = 1;  // BUG: race-same-value
}
