// Rows by token id, a threadgroup per token, ids in range and repeated.
#include <metal_stdlib>
using namespace metal;

kernel void get_rows(device const half* table [[buffer(0)]],
                     device const int* tokens [[buffer(1)]],
                     device half* rows [[buffer(2)]],
                     constant int& dim [[buffer(3)]],
                     uint3 tgpig [[threadgroup_position_in_grid]],
                     uint3 tpitg [[thread_position_in_threadgroup]],
                     uint3 ntg [[threads_per_threadgroup]]) {
  const int i = tgpig.x;
  const int token = tokens[i];
  for (int c = tpitg.x; c < dim; c += ntg.x) {
    rows[i * dim + c] = table[token * dim + c];
  }
}
