#include <metal_stdlib>
using namespace metal;
kernel void k(device float* o) { o[0] = 1; }
vertex float4 v(uint i [[vertex_id]]) { if (i > 0) { return float4(i);
