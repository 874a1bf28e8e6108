#include <metal_stdlib>
using namespace metal;
constant bool use_mask [[functio            const device uchar* mask [[buffer(5), function_constant       k)]],
                  uint2 at [[thread_position_in_grid]]) {
  float4 v = x[at.y * width + at.x];
  v.xy = v.mask [[functio            const device uchar* mask [[buffer(5), function_constant       k)]],
                  uint2 at [[thread_position_in_grid]]) {
  if (useyx * p.scale + table[at.x % 3];
}
