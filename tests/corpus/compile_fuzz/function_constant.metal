#include <metal_stdlib>
using namespace metal;
constant bool use_mask [[function_constant(0)]];
constant int width [[function_constant(1)]];
constant float table[3] = {1.0f, 0x1p-3f, .5};
struct Params { float2 scale; packed_float3 bias; };
kernel void apply(device float4* x [[buffer(0)]], constant Params& p [[buffer(2)]],
                  const device uchar* mask [[buffer(3), function_constant(use_mask)]],
                  uint2 at [[thread_position_in_grid]]) {
  float4 v = x[at.y * width + at.x];
  v.xy = v.yx * p.scale + table[at.x % 3];
  if (use_mask && mask[at.x] != 0) v.zw = select(v.zw, float2(p.bias[0]), v.xy > 0.0f);
  x[at.y * width + at.x] = fast::exp(v);
}
