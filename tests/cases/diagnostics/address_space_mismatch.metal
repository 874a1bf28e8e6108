#include <metal_stdlib>
using namespace metal;
static float first(const threadgroup float* p) { return p[0]; }
kernel void k(device float* out) { out[0] = first(out); }
