// A record of 5 bytes: the int behind the tag byte is never aligned twice in a row.
#include <metal_stdlib>
using namespace metal;

kernel void parse(device const char* stream [[buffer(0)]],
                  device int* values [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  device const char* record = stream + i * 5;
  values[i] = *(device const int*)(record + 1);  // BUG: misaligned-access
}
