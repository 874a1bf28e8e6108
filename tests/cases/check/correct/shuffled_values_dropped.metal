// Lanes that are not there give something to others, which drop it, or which nobody listens to.
#include <metal_stdlib>
using namespace metal;

kernel void scans(device const int* x [[buffer(0)]],
                  device int* sums [[buffer(1)]],
                  device int* totals [[buffer(2)]],
                  device float* tops [[buffer(3)]],
                  uint i [[thread_position_in_grid]],
                  uint lane [[thread_index_in_simdgroup]],
                  uint simdgroup [[simdgroup_index_in_threadgroup]],
                  uint size [[threads_per_threadgroup]]) {
  const uint active = min(32u, size - 32 * simdgroup);
  int value = x[i];
  int sum = value;
  for (ushort step = 1; step < 32; step *= 2) {
    int before = simd_shuffle_up(sum, step);
    if (lane >= step) sum += before;
  }
  sums[i] = sum;
  int total = value;
  float top = float(value);
  for (ushort step = 16; step > 0; step /= 2) {
    int other = simd_shuffle_down(total, step);
    float higher = simd_shuffle_down(top, step);
    bool is_there = lane + step < active;
    total += is_there ? other : 0;
    if (is_there && higher > top) top = higher;
  }
  int first = simd_broadcast_first(sum);
  int turned = simd_shuffle_rotate_up(value, 1) * int(lane != 0 || active == 32);
  int wrapped = simd_shuffle(value, ushort((5 * lane + 3) % 32)) * int(active == 32);
  wrapped += simd_shuffle_and_fill_up(value, -1, 2);
  int far = simd_shuffle(value, ushort(lane + 1));
  if (lane == 31) far = 0;
  far = lane + 1 < active ? far : 0;
  if (lane == 0) {
    totals[simdgroup] = total + first;
    tops[simdgroup] = top;
  } else {
    sums[i] += turned + far + wrapped - simd_broadcast(value, 1);
  }
}
