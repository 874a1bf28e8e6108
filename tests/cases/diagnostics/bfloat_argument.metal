#include <metal_stdlib>
using namespace metal;
template <typename T> void store(device T* to, T x) { *to = x; }
template <typename T> struct only { static_assert(is_same_v<T, half>, "only half, no float"); };
kernel void k(device bfloat* b, device float* f, uint i [[thread_position_in_grid]]) {
  store(b + i, 1.0f);
  f = b;
  only<bfloat> o;
}
