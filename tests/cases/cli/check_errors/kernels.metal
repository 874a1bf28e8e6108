#include <metal_stdlib>
using namespace metal;

struct Params { uint n; float scale; };

kernel void scale(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant Params& params [[buffer(2)]], constant uint& n [[buffer(3)]],
                  threadgroup float* shared [[threadgroup(0)]],
                  uint i [[thread_position_in_grid]]) {
  shared[0] = 0;
  if (i < n) y[i] = params.scale * x[i];
}

kernel void nothing() {}
