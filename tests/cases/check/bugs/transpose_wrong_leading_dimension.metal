// The transposed matrix has `rows` columns; its leading dimension is taken from the input.
#include <metal_stdlib>
using namespace metal;

kernel void transpose(device const float* src [[buffer(0)]],
                      device float* dst [[buffer(1)]],
                      constant uint& rows [[buffer(2)]],
                      constant uint& cols [[buffer(3)]],
                      uint2 gid [[thread_position_in_grid]]) {
  if (gid.x >= cols || gid.y >= rows) return;
  dst[gid.x * cols + gid.y] = src[gid.y * cols + gid.x];  // BUG: bounds-write
}
