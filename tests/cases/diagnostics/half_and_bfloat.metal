#include <metal_stdlib>
using namespace metal;
kernel void k(device half* h, device bfloat* b, device half4* v, device bfloat4* w) {
  h[0] = b[0];
  bfloat x = h[1];
  v[0] = v[0] * w[0];
}
