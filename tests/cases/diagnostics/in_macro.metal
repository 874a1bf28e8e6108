#include <metal_stdlib>
using namespace metal;
#define SCALE(x) ((x) * factor)
kernel void k(device float* out) { out[0] = SCALE(out[1]); }
