// The largest half, a clamped sum, and an infinity of the source that is made an integer.
#include <metal_stdlib>
using namespace metal;

kernel void to_half(device const uint* counts [[buffer(0)]],
                    device half* out [[buffer(1)]],
                    device int* whole [[buffer(2)]],
                    uint i [[thread_position_in_grid]]) {
  half count = half(min(counts[i], 65504u));
  half sum = count * 0.5h + 0.25h;
  out[i] = sum;
  float limit = i == 0 ? INFINITY : float(sum);
  whole[i] = int(min(limit, 100.0f));
}
