// Scales of a quantised block: the fifth is where its values begin.
#include <metal_stdlib>
using namespace metal;

struct Block {
  half scale[4];
  char values[16];
};

kernel void dequantise(device const Block* blocks [[buffer(0)]],
                       device float* out [[buffer(1)]],
                       constant uint& count [[buffer(2)]],
                       uint i [[thread_position_in_grid]]) {
  if (i >= count) return;
  device const Block& block = blocks[i / 16];
  uint part = (i % 16 + 3) / 4;
  out[i] = float(block.scale[part]) * block.values[i % 16];  // BUG: bounds-read
}
