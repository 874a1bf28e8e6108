#include <metal_stdlib>
using namespace metal;
kernel void blur(texture2d<float> image, device float* out) { out[0] = image.read(uint2(0)).x; }
kernel void wrong(device float* out) { out[0] = missing; }
