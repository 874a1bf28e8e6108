// Whether a sample counts is never said; behind the barrier somebody asks.
#include <metal_stdlib>
using namespace metal;

struct Sample {
  float value;
  ushort place;
  bool counts;
};

inline Sample take(float value, uint place) {
  Sample sample;
  sample.value = value;
  sample.place = ushort(place);
  return sample;
}

kernel void samples(device const float* input [[buffer(0)]],
                    device float* output [[buffer(1)]],
                    threadgroup Sample* line [[threadgroup(0)]],
                    uint i [[thread_position_in_grid]],
                    uint t [[thread_position_in_threadgroup]]) {
  line[t] = take(input[i], t);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (uint k = 0; k < 8; ++k) {
    if (line[(t + k) % 64].counts) sum += line[(t + k) % 64].value;  // BUG: uninitialised-thread
  }
  output[i] = sum;
}
