#include <metal_stdlib>
using namespace metal;
template <typename T, int N>
kernel void scale(device T* x [[buffer(0)]], constant T& s [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  for (int j = 0; j < N; ++j) x[i * N + j] *= s;
}
template [[host_name("scale_f32")]] kernel void scale<float, 4>(device float*, constant float&, uint);
template [[host_name("scale_f16")]] [[kernel]] decltype(scale<half, 3>) scale<half, 3>;
