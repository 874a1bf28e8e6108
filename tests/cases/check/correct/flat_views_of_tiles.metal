// Arrays of arrays used as one: through a pointer to their first element, a row of their own, or the
// first row; and an address behind the last element that nobody reads.
#include <metal_stdlib>
using namespace metal;

struct Pair {
  float first[3];
  float second[3];
};

float sum(threadgroup const float* begin, threadgroup const float* end) {
  float total = 0;
  for (; begin < end; ++begin) total += *begin;
  return total;
}

kernel void flat(device const float* in [[buffer(0)]],
                 device float* out [[buffer(1)]],
                 uint i [[thread_position_in_threadgroup]]) {
  threadgroup float tile[4][8];
  threadgroup float cleared[4][8];
  tile[i / 8][i % 8] = in[i];
  cleared[0][i] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup float* first = &tile[0][0];
  threadgroup float* row = tile[i / 8];
  Pair pair;
  for (uint j = 0; j < 3; ++j) {
    pair.first[j] = j;
    pair.second[j] = 10 + j;
  }
  float rest = sum(&tile[i / 8][0], &tile[i / 8][8]);
  float next = i / 8 < 3 ? row[8 + i % 8] : 0;
  out[i] = first[i] + next + rest + cleared[i / 8][i % 8] + pair.first[i % 3] + pair.second[i % 3];
}
