// Nothing has a value where it is declared, and everything has one where it is used.
#include <metal_stdlib>
using namespace metal;

struct Best {
  float score;
  uint index;
};

static void keep(thread Best& best, float score, uint index) {
  best.score = score;
  best.index = index;
}

static bool find(device const float* x, uint n, thread float* found) {
  for (uint k = 0; k < n; ++k) {
    if (x[k] > 4.0f) {
      *found = x[k];
      return true;
    }
  }
  return false;
}

kernel void choose(device const float* x [[buffer(0)]],
                   device float* y [[buffer(1)]],
                   constant uint& n [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  Best best;
  float first, last;
  float history[8];
  uint used = 0;
  bool has_best = false;
  for (uint k = 0; k < n; ++k) {
    float v = x[i * n + k];
    if (k > 0) last = v;
    if (!has_best || v > best.score) {
      keep(best, v, k);
      history[used++ & 7] = v;
      has_best = true;
    }
  }
  float sum = 0.0f;
  for (uint k = 0; k < min(used, 8u); ++k) sum += history[k];
  float4 corners;
  corners.x = best.score;
  corners.y = float(best.index);
  corners.zw = float2(sum, n > 1 ? last : 0.0f);
  float parts[2][3];
  for (uint r = 0; r < 2; ++r) {
    for (uint c = 0; c < 3; ++c) parts[r][c] = corners[r + c];
  }
  y[i] = parts[0][0] + parts[1][2] + parts[i & 1][i % 3] +
         (find(x + i * n, n, &first) ? first : 0.0f);
}
