// Two threadgroups along z add their share of K to the same tile of C.
#include <metal_stdlib>
using namespace metal;

kernel void gemm_split_k(device const half* a [[buffer(0)]],
                         device const half* b [[buffer(1)]],
                         device float* c [[buffer(2)]],
                         constant uint& m [[buffer(3)]],
                         constant uint& n [[buffer(4)]],
                         constant uint& k [[buffer(5)]],
                         uint3 gid [[thread_position_in_grid]],
                         uint3 grid [[threads_per_grid]]) {
  if (gid.x >= n || gid.y >= m) return;
  float acc = 0.0f;
  uint share = k / grid.z;
  for (uint i = gid.z * share; i < (gid.z + 1) * share; ++i) {
    acc += float(a[gid.y * k + i]) * float(b[i * n + gid.x]);
  }
  c[gid.y * n + gid.x] += acc;  // BUG: race-update
}
