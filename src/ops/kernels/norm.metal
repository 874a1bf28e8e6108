// Rows divided by their root mean square, or moved and scaled to mean 0 and variance 1. In front of
// this text stands the type T. A simdgroup takes a row, which stays in the cache between the passes.

struct Norm {
  uint length;
  float eps;
  uint has_weight;
  uint has_bias;
};

inline float mean_square(device const T* x, uint length, float middle, uint lane) {
  float a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
  uint i = 0;
  for (; i + 128 <= length; i += 128) {
    float p = float(x[i + lane]) - middle, q = float(x[i + lane + 32]) - middle;
    float r = float(x[i + lane + 64]) - middle, s = float(x[i + lane + 96]) - middle;
    a += p * p;
    b += q * q;
    c += r * r;
    d += s * s;
  }
  for (; i < length; i += 32) {
    if (i + lane < length) {
      float p = float(x[i + lane]) - middle;
      a += p * p;
    }
  }
  return simd_sum((a + b) + (c + d)) / float(length);
}

inline float mean_of(device const T* x, uint length, uint lane) {
  float a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
  uint i = 0;
  for (; i + 128 <= length; i += 128) {
    a += float(x[i + lane]);
    b += float(x[i + lane + 32]);
    c += float(x[i + lane + 64]);
    d += float(x[i + lane + 96]);
  }
  for (; i < length; i += 32) {
    if (i + lane < length) a += float(x[i + lane]);
  }
  return simd_sum((a + b) + (c + d)) / float(length);
}

template <bool centred>
kernel void normalise(device const T* x [[buffer(0)]],
                      device const T* weight [[buffer(1)]],
                      device const T* bias [[buffer(2)]],
                      device T* y [[buffer(3)]],
                      constant Norm& norm [[buffer(4)]],
                      uint2 position [[thread_position_in_grid]],
                      uint lane [[thread_index_in_simdgroup]]) {
  uint length = norm.length;
  x += ulong(position.y) * length;
  y += ulong(position.y) * length;
  float middle = centred ? mean_of(x, length, lane) : 0.0f;
  float scale = metal::precise::rsqrt(mean_square(x, length, middle, lane) + norm.eps);
  for (uint i = 0; i < length; i += 32) {
    if (i + lane >= length) continue;
    float value = (float(x[i + lane]) - middle) * scale;
    if (norm.has_weight) value *= float(weight[i + lane]);
    if (norm.has_bias) value += float(bias[i + lane]);
    y[i + lane] = T(value);
  }
}
template [[host_name("rms_norm")]] kernel decltype(normalise<false>) normalise<false>;
template [[host_name("layer_norm")]] kernel decltype(normalise<true>) normalise<true>;
