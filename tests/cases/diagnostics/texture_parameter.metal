#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> image [[texture(0)]], device float* out) { out[0] = 1; }
