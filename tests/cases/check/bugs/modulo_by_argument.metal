// The period is an argument that may be zero.
#include <metal_stdlib>
using namespace metal;

kernel void phase(device uint* out [[buffer(0)]],
                  constant uint& period [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  out[i] = i % period;  // BUG: division-by-zero
}
