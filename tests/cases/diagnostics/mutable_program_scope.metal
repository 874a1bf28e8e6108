#include <metal_stdlib>
using namespace metal;
uint counter = 0;
constant uint kStep = 2;
constant uint* kNowhere = nullptr;
kernel void k(device uint* out, uint i [[thread_position_in_grid]]) { out[i] = counter += kStep; }
