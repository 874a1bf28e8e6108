#include <metal_stdlib>
using namespace metal;
constant int rows = is_function_constant_defined(rows_given) ? rows_given : 4;
kernel void k(device float* out, device Matrix* m, uint i [[thread_position_in_grid]]) {
  for (int j = 0; j < TILE; ++j) out[i] += weight[j];
  out[i] = normalise(out[i]) + Shape::rows + (scalar_t)1 + (T)2;
  device ELEMENT* p = out;
}
