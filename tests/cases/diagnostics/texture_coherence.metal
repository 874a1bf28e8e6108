#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float, access::write, memory_coherence_device> t [[texture(0)]],
              device float* o, uint i [[thread_position_in_grid]]) {
  o[i] = 1;
}
