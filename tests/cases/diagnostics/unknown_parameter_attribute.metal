#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out, uint i [[thread_id]], uint j [[maybe_unused]]) { out[i] = 1; }
