// Rows that are divided by the sum of their exponentials, and the logarithm of that sum. In front of
// this text stands the type T.

// Lanes read neighbours; four independent values hide the latency of the arithmetic.
inline float highest_of(device const T* row, uint length, uint lane) {
  float a = -INFINITY, b = -INFINITY, c = -INFINITY, d = -INFINITY;
  uint i = 0;
  for (; i + 128 <= length; i += 128) {
    a = max(a, float(row[i + lane]));
    b = max(b, float(row[i + lane + 32]));
    c = max(c, float(row[i + lane + 64]));
    d = max(d, float(row[i + lane + 96]));
  }
  for (; i + 32 <= length; i += 32) a = max(a, float(row[i + lane]));
  if (i + lane < length) b = max(b, float(row[i + lane]));
  return simd_max(max(max(a, b), max(c, d)));
}

kernel void softmax_rows(device const T* x [[buffer(0)]],
                         device T* y [[buffer(1)]],
                         constant uint& length [[buffer(2)]],
                         uint2 position [[thread_position_in_grid]],
                         uint lane [[thread_index_in_simdgroup]]) {
  x += ulong(position.y) * length;
  y += ulong(position.y) * length;
  float highest = highest_of(x, length, lane);
  // float keeps the exponentials in the result; shorter types would round them twice.
  constexpr bool keeps = sizeof(T) == sizeof(float);
  float sum = 0.0f, other = 0.0f;
  uint i = 0;
  for (; i + 64 <= length; i += 64) {
    float e = metal::precise::exp(float(x[i + lane]) - highest);
    float f = metal::precise::exp(float(x[i + lane + 32]) - highest);
    sum += e;
    other += f;
    if (keeps) {
      y[i + lane] = T(e);
      y[i + lane + 32] = T(f);
    }
  }
  for (; i < length; i += 32) {
    if (i + lane < length) {
      float e = metal::precise::exp(float(x[i + lane]) - highest);
      sum += e;
      if (keeps) y[i + lane] = T(e);
    }
  }
  float scale = 1.0f / simd_sum(sum + other);
  i = 0;
  if (keeps) {
    for (; i + 128 <= length; i += 128) {
      y[i + lane] *= scale;
      y[i + lane + 32] *= scale;
      y[i + lane + 64] *= scale;
      y[i + lane + 96] *= scale;
    }
  }
  for (; i < length; i += 32) {
    if (i + lane >= length) continue;
    y[i + lane] = keeps ? T(y[i + lane] * scale)
                        : T(metal::precise::exp(float(x[i + lane]) - highest) * scale);
  }
}

// A thread for each row: short rows would leave most lanes of a simdgroup without work.
constant constexpr uint kLongestShortRow = 16;

kernel void softmax_short_rows(device const T* x [[buffer(0)]],
                               device T* y [[buffer(1)]],
                               constant uint& length [[buffer(2)]],
                               uint position [[thread_position_in_grid]]) {
  x += ulong(position) * length;
  y += ulong(position) * length;
  float values[kLongestShortRow];
  float highest = -INFINITY, sum = 0.0f;
  for (uint i = 0; i < length; ++i) {
    values[i] = float(x[i]);
    highest = max(highest, values[i]);
  }
  for (uint i = 0; i < length; ++i) {
    values[i] = metal::precise::exp(values[i] - highest);
    sum += values[i];
  }
  float scale = 1.0f / sum;
  for (uint i = 0; i < length; ++i) y[i] = T(values[i] * scale);
}

kernel void logsumexp_rows(device const T* x [[buffer(0)]],
                           device T* y [[buffer(1)]],
                           constant uint& length [[buffer(2)]],
                           uint2 position [[thread_position_in_grid]],
                           uint lane [[thread_index_in_simdgroup]]) {
  x += ulong(position.y) * length;
  float highest = highest_of(x, length, lane);
  float sum = 0.0f;
  for (uint i = 0; i < length; i += 32) {
    if (i + lane < length) sum += metal::precise::exp(float(x[i + lane]) - highest);
  }
  sum = simd_sum(sum);
  if (lane == 0) y[position.y] = isinf(highest) ? T(highest) : T(highest + metal::precise::log(sum));
}
