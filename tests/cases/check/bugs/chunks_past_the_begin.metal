// A simdgroup walks over a row from its end, and one lane further than its begin.
#include <metal_stdlib>
using namespace metal;

kernel void suffix_sums(device const int* in [[buffer(0)]],
                        device int* out [[buffer(1)]],
                        constant int& length [[buffer(2)]],
                        uint lane [[thread_index_in_simdgroup]]) {
  int after = 0;
  for (int base = 0; base < length; base += 32) {
    long place = long(length) - 32 - base + lane;
    bool is_inside = place >= -1;
    int value = 0;
    if (is_inside) value = in[place];  // BUG: bounds-read
    int mine = simd_prefix_inclusive_sum(simd_shuffle(value, 31 - lane));
    int sum = after + simd_shuffle(mine, 31 - lane);
    if (is_inside) out[place] = sum;  // BUG: bounds-write
    after += simd_sum(value);
  }
}
