#include <metal_stdlib>
using namespace metal;
[[fragment]] float4 shade(float4 position [[position]]) { return position; }
kernel void k(device float* o) { o[0] = 1; }
