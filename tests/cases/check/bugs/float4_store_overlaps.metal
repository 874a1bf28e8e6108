// float4 stores into rows of five half-open columns overlap the next row's start.
#include <metal_stdlib>
using namespace metal;

kernel void store_rows(device const packed_float4* rows [[buffer(0)]],
                       device float* out [[buffer(1)]],
                       constant uint& pitch [[buffer(2)]],
                       uint r [[thread_position_in_grid]]) {
  device packed_float4* to = (device packed_float4*)(out + r * pitch);
  *to = rows[r];  // BUG: race-device
}
