// One bool per element, written and read back.
#include <metal_stdlib>
using namespace metal;

kernel void mark(device const int* x [[buffer(0)]],
                 device bool* even [[buffer(1)]],
                 device int* out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  even[i] = (x[i] & 1) == 0;
  out[i] = select(-x[i], x[i], even[i]);
}
