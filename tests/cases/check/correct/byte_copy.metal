// memcpy by bytes: floats read and written as chars.
#include <metal_stdlib>
using namespace metal;

kernel void copy_bytes(device const void* from [[buffer(0)]],
                       device void* to [[buffer(1)]],
                       uint i [[thread_position_in_grid]]) {
  ((device char*)to)[i] = ((device const char*)from)[i];
}
