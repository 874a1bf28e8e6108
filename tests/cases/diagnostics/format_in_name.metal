#include <metal_stdlib>
using namespace metal;
[[kernel]] void scale_{name}(device float* o, uint i [[thread_position_in_grid]]) { o[i] *= 2; }
kernel void add(device {T}* o, device T2{suffix}* p, uint i [[thread_position_in_grid]]) { o[i] += 1; }
kernel void fill(device float* o, uint i [[thread_position_in_grid]]) { o[i] = {offset_y}; }
