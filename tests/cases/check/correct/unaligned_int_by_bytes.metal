// An int behind a tag byte, put together from bytes.
#include <metal_stdlib>
using namespace metal;

kernel void parse(device const uchar* stream [[buffer(0)]],
                  device uint* values [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  device const uchar* record = stream + i * 5 + 1;
  uint value = 0;
  for (uint k = 0; k < 4; ++k) value |= uint(record[k]) << (8 * k);
  values[i] = value;
}
