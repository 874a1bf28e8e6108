// A row of 70 weights has two whole blocks of 32; the kernel rounds up.
#include <metal_stdlib>
using namespace metal;

#define QK 32

typedef struct {
  half d;
  uchar qs[QK / 2];
} block_q4;

kernel void dequantize_q4(device const block_q4* blocks [[buffer(0)]],
                          device float* y [[buffer(1)]],
                          constant uint& ne [[buffer(2)]],
                          uint ib [[threadgroup_position_in_grid]],
                          uint il [[thread_position_in_threadgroup]]) {
  const uchar packed = blocks[ib].qs[il];  // BUG: bounds-read
  const float d = float(blocks[ib].d);  // BUG: bounds-read
  uint lo = ib * QK + il;
  uint hi = lo + QK / 2;
  if (lo < ne) y[lo] = d * (float(packed & 0xF) - 8.0f);
  if (hi < ne) y[hi] = d * (float(packed >> 4) - 8.0f);
}
