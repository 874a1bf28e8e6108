// A reversed view: base offset at the end and a negative stride in 64 bits.
#include <metal_stdlib>
using namespace metal;

kernel void copy_reversed(device const int* src [[buffer(0)]],
                          device int* dst [[buffer(1)]],
                          constant long& offset [[buffer(2)]],
                          constant long& stride [[buffer(3)]],
                          uint i [[thread_position_in_grid]]) {
  dst[i] = src[offset + long(i) * stride];
}
