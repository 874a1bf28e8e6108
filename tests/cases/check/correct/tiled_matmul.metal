// Two barriers per tile, zeros outside the matrices.
#include <metal_stdlib>
using namespace metal;

constant constexpr uint TS = 8;

kernel void matmul_tiled(device const float* A [[buffer(0)]],
                         device const float* B [[buffer(1)]],
                         device float* C [[buffer(2)]],
                         constant uint& M [[buffer(3)]],
                         constant uint& N [[buffer(4)]],
                         constant uint& K [[buffer(5)]],
                         uint2 gid [[thread_position_in_grid]],
                         uint2 lid [[thread_position_in_threadgroup]]) {
  threadgroup float As[TS][TS];
  threadgroup float Bs[TS][TS];
  float acc = 0.0f;
  for (uint t = 0; t < K; t += TS) {
    As[lid.y][lid.x] = gid.y < M && t + lid.x < K ? A[gid.y * K + t + lid.x] : 0.0f;
    Bs[lid.y][lid.x] = t + lid.y < K && gid.x < N ? B[(t + lid.y) * N + gid.x] : 0.0f;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < TS; ++k) acc = fma(As[lid.y][k], Bs[k][lid.x], acc);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (gid.y < M && gid.x < N) C[gid.y * N + gid.x] = acc;
}
