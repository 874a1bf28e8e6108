// Functions and methods give variables their values, some of them only in part or on condition.
#include <metal_stdlib>
using namespace metal;

struct Range {
  float low;
  float high;

  void start(float value) thread {
    low = value;
    high = value;
  }
  void take(float value) thread {
    low = min(low, value);
    high = max(high, value);
  }
};

struct Ring {
  float values[3];
  uint count;

  Ring() : count(0) {}
  void push(float value) {
    values[count % 3] = value;
    ++count;
  }
  float sum() const {
    float total = 0.0f;
    for (uint k = 0; k < min(count, 3u); ++k) total += values[k];
    return total;
  }
};

bool find_first(device const float* row, uint width, float limit, thread uint& place,
                thread float* found) {
  for (uint c = 0; c < width; ++c) {
    if (row[c] < limit) continue;
    place = c;
    *found = row[c];
    return true;
  }
  return false;
}

void split(float value, thread float& whole, thread float& rest) {
  rest = modf(value, whole);
}

kernel void summarise(device const float* x [[buffer(0)]],
                      device float4* results [[buffer(1)]],
                      constant uint& width [[buffer(2)]],
                      uint row [[thread_position_in_grid]]) {
  device const float* values = x + row * width;
  Range range;
  range.start(values[0]);
  Ring ring;
  for (uint c = 0; c < width; ++c) {
    range.take(values[c]);
    if (c % 2 == row % 2) ring.push(values[c]);
  }
  uint place;
  float found;
  float at = -1.0f;
  if (find_first(values, width, 17.0f, place, &found)) at = float(place) + found;
  float whole, rest;
  split(range.high / 3.0f, whole, rest);
  float partial[2];
  thread float& second = partial[1];
  second = whole + rest;
  results[row] = float4(range.low, ring.sum(), at, second);
}
