// Stream compaction with a counter that is no atomic.
#include <metal_stdlib>
using namespace metal;

kernel void compact(device const int* in [[buffer(0)]],
                    device int* kept [[buffer(1)]],
                    device uint* count [[buffer(2)]],
                    uint i [[thread_position_in_grid]]) {
  if (in[i] % 3 == 0) {
    uint slot = count[0];  // BUG: race-update | race-device
    count[0] = slot + 1;  // BUG: race-update | race-device
    kept[slot] = in[i];  // BUG: (race-device)
  }
}
