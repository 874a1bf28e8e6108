#include <metal_stdlib>
using namespace metal;
kernel void k(raytracing::acceleration_structure<raytracing::instancing> scene [[buffer(0)]], device float* out) { out[0] = 1; }
