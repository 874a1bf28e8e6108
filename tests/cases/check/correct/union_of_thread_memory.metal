// A thread's array seen as other types, as quantised kernels do.
#include <metal_stdlib>
using namespace metal;

kernel void unpack_scales(device const uint* packed [[buffer(0)]],
                          device float* out [[buffer(1)]],
                          uint i [[thread_position_in_grid]]) {
  uint words[2];
  words[0] = packed[2 * i];
  words[1] = packed[2 * i + 1];
  thread const uchar* bytes = (thread const uchar*)words;
  float sum = 0.0f;
  for (uint k = 0; k < 8; ++k) sum += float(bytes[k] & 63);
  out[i] = sum;
}
