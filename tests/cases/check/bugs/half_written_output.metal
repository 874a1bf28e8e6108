// The count of vectors is computed from bytes of half, the output is float.
#include <metal_stdlib>
using namespace metal;

kernel void widen(device const half4* in [[buffer(0)]],
                  device float4* out [[buffer(1)]],  // BUG: output-unwritten
                  constant uint& vectors [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  if (i < vectors / 2) out[i] = float4(in[i]);
}
