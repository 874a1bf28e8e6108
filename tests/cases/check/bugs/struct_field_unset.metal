// The first kernel leaves one field of the record unset, the second uses it.
#include <metal_stdlib>
using namespace metal;

struct Stats {
  float sum;
  float minimum;
  uint count;
};

kernel void collect(device const float* x [[buffer(0)]],
                    device Stats* stats [[buffer(1)]],
                    constant uint& width [[buffer(2)]],
                    uint row [[thread_position_in_grid]]) {
  float sum = 0.0f;
  for (uint c = 0; c < width; ++c) sum += x[row * width + c];
  stats[row].sum = sum;
  stats[row].minimum = x[row * width];
}

kernel void finish(device const Stats* stats [[buffer(0)]],
                   device float* mean [[buffer(1)]],
                   uint row [[thread_position_in_grid]]) {
  float count = float(stats[row].count);  // BUG: uninitialised-device
  mean[row] = stats[row].sum / max(count, 1.0f);
}
