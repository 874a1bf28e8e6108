#include <metal_stdlib>
using namespace metal;

struct Params {
  float scale;
  uint count;
};

float shape(float value, float scale) {
  float squared = value * value;
  return squared * scale;
}

// Resumable: its threads meet at a barrier.
kernel void mirrored(device const float* input [[buffer(0)]],
                     device float* output [[buffer(1)]],
                     constant Params& params [[buffer(2)]],
                     uint position [[thread_position_in_grid]],
                     uint local [[thread_position_in_threadgroup]]) {
  threadgroup float tile[32];
  float value = input[position];
  float unused_later = value + 0.5f;
  tile[local] = unused_later - 0.5f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float other = tile[31 - local];
  output[position] = shape(value + other, params.scale);  // break: mirrored
}

// Plain, in three dimensions, with a vector.
kernel void plain(device float4* output [[buffer(0)]],
                  uint3 position [[thread_position_in_grid]]) {
  float4 total = float4(0);
  for (uint step = 0; step <= position.y; ++step) {
    total += float4(step, position.x, position.z, 1);
  }
  output[position.x + 4 * position.y] = total;  // break: plain
}

kernel void wild(device float* output [[buffer(0)]],
                 uint position [[thread_position_in_grid]]) {
  size_t offset = position == 5 ? size_t(1) << 44 : position;
  output[offset] = 1;  // break: wild
}
