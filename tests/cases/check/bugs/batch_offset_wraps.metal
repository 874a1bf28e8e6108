// batch * height * width in 32 bits: the product of 65536 x 65536 planes is 0.
#include <metal_stdlib>
using namespace metal;

kernel void pick_corner(device const float* images [[buffer(0)]],
                        device float* corners [[buffer(1)]],
                        constant uint& height [[buffer(2)]],
                        constant uint& width [[buffer(3)]],
                        uint batch [[thread_position_in_grid]]) {
  uint at = batch * height * width;  // BUG: index-wrap
  corners[batch] = images[at];  // BUG: index-wrap
}
