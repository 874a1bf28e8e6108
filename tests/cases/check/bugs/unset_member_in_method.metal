// A method counts up a member that no method has set; the other one is cleared.
#include <metal_stdlib>
using namespace metal;

struct Histogram {
  uint bins[4];
  uint total;

  void clear() {
    for (int b = 0; b < 4; ++b) bins[b] = 0;
  }
  void add(float value) {
    bins[min(uint(value), 3u)] += 1;
    total += 1;  // BUG: uninitialised-thread
  }
};

kernel void quarters(device const float* x [[buffer(0)]],
                     device float* shares [[buffer(1)]],
                     constant uint& count [[buffer(2)]],
                     uint i [[thread_position_in_grid]]) {
  Histogram counts;
  counts.clear();
  for (uint k = i; k < count; k += 4) counts.add(x[k]);
  shares[i] = float(counts.bins[i]) / float(counts.total);
}
