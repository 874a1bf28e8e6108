// Vectors, matrices and structs get their values piece by piece, in loops and functions.
#include <metal_stdlib>
using namespace metal;

struct Box {
  float3 low;
  float3 high;

  void start(float3 at) {
    low = at;
    high = at;
  }
  void add(float3 at) {
    low = min(low, at);
    high = max(high, at);
  }
};

template <typename V>
struct Window {
  V values[4];

  void load(device const float* x) {
    for (uint k = 0; k < 4; ++k) {
      for (uint c = 0; c < 4; ++c) values[k][c] = x[k + c];
    }
  }
  V sum() const {
    V total = values[0];
    for (uint k = 1; k < 4; ++k) total += values[k];
    return total;
  }
};

struct Flags {
  uint kind : 4;
  uint level : 12;
  uint rest : 16;
};

static void split(float value, thread float2& whole, thread half& part) {
  whole.x = floor(value);
  whole.y = ceil(value);
  part = half(value - whole.x);
}

kernel void boxes(device const packed_float3* points [[buffer(0)]],
                  device float* volumes [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  Box box;
  bool is_empty = true;
  for (uint k = 0; k < 4; ++k) {
    float3 at = float3(points[i + k]);
    if (is_empty) {
      box.start(at);
    } else {
      box.add(at);
    }
    is_empty = false;
  }
  Box result = box;
  float3 size = result.high - result.low;
  volumes[i] = size.x * size.y * size.z;
}

kernel void windows(device const float* x [[buffer(0)]],
                    device float* y [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  Window<float4> window;
  window.load(x + i);
  float4 total = window.sum();
  float3 corners[3];
  for (uint k = 0; k < 3; ++k) corners[k] = float3(total.x, x[k], 1.0f);
  float3 moved[3];
  for (uint k = 0; k < 3; ++k) moved[k] = corners[2 - k];
  float3x3 m;
  for (uint c = 0; c < 3; ++c) m[c] = moved[c];
  float3 v = transpose(m) * corners[i % 3];
  float2 whole;
  half part;
  split(v.y, whole, part);
  Flags flags;
  flags.kind = 3;
  flags.level = i;
  flags.rest = 7;
  Flags copy = flags;
  y[i] = v.x + v.z + whole.x + whole.y + float(part) + float(copy.kind + copy.level);
}

kernel void first_round(device const float* x [[buffer(0)]],
                        device float* y [[buffer(1)]],
                        uint i [[thread_position_in_grid]]) {
  float2 running;
  for (uint k = 0; k < 4; ++k) {
    float v = x[i + k];
    if (k == 0) {
      running = float2(v, 1.0f);
    } else {
      float most = max(running.x, v);
      running.y = running.y * exp(running.x - most) + exp(v - most);
      running.x = most;
    }
  }
  y[i] = running.x + log(running.y);
}
