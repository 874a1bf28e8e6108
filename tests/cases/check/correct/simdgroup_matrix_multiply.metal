// One 8x8 tile of C per simdgroup.
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

kernel void matmul8(device const float* A [[buffer(0)]],
                    device const float* B [[buffer(1)]],
                    device float* C [[buffer(2)]],
                    constant uint& K [[buffer(3)]],
                    constant uint& N [[buffer(4)]],
                    uint2 group [[threadgroup_position_in_grid]]) {
  simdgroup_float8x8 a;
  simdgroup_float8x8 b;
  simdgroup_float8x8 c = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  for (uint k = 0; k < K; k += 8) {
    simdgroup_load(a, A + group.y * 8 * K + k, K);
    simdgroup_load(b, B + k * N + group.x * 8, N);
    simdgroup_multiply_accumulate(c, a, b, c);
  }
  simdgroup_store(c, C + group.y * 8 * N + group.x * 8, N);
}
