#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out) { out[0] = simd_shuffle(out[1]); }
