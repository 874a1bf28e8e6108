#include <metal_simdgroup_matrix>
#include <metal_stdlib>
using namespace metal;
kernel void multiply(const device half* a, const device half* b, device float* c) {
  simdgroup_matrix<half, 8, 8> ma, mb;
  simdgroup_float8x8 mc = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  simdgroup_load(ma, a, 8);
  simdgroup_load(mb, b, 8, ulong2(0, 0), true);
  simdgroup_multiply_accumulate(mc, ma, mb, mc);
  simdgroup_store(mc, c, 8);
}
