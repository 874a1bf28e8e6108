// Infinities that come in may go out.
#include <metal_stdlib>
using namespace metal;

kernel void add_one(device const uint* bits [[buffer(0)]],
                    device float* y [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  y[i] = as_type<float>(bits[i]) + 1.0f;
}
