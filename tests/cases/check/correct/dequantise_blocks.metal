// Blocks of 4-bit weights with a half scale.
#include <metal_stdlib>
using namespace metal;

#define QK 32

typedef struct {
  half d;
  uchar qs[QK / 2];
} block_q4;

kernel void dequantize_q4(device const block_q4* blocks [[buffer(0)]],
                          device float* y [[buffer(1)]],
                          uint ib [[threadgroup_position_in_grid]],
                          uint il [[thread_position_in_threadgroup]]) {
  const uchar packed = blocks[ib].qs[il];
  const float d = float(blocks[ib].d);
  y[ib * QK + il] = d * (float(packed & 0xF) - 8.0f);
  y[ib * QK + il + QK / 2] = d * (float(packed >> 4) - 8.0f);
}
