#include <metal_stdlib>
using namespace metal;
asm("nop");
kernel void k(device int* out, uint i [[thread_position_in_grid]]) {
  if (i > 2) asm volatile("nop");
  out[i] = 1;
}
