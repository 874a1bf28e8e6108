// A template that loads up to N elements.
#include <metal_stdlib>
using namespace metal;

template <typename T, int N>
float load_sum(device const T* from, int remaining) {
  float sum = 0.0f;
  for (int k = 0; k < min(N, remaining); ++k) sum += float(from[k]);
  return sum;
}

template <typename T, int N>
[[kernel]] void chunk_sums(device const T* x [[buffer(0)]],
                           device float* sums [[buffer(1)]],
                           constant int& n [[buffer(2)]],
                           uint i [[thread_position_in_grid]]) {
  sums[i] = load_sum<T, N>(x + i * N, n - int(i) * N);
}

template [[host_name("chunk_sums_half_5")]] [[kernel]] void chunk_sums<half, 5>(
    device const half*, device float*, constant int&, uint);
