// Rotary positions. In front of this text stands the type T.

struct Rope {
  uint width;  // of a row
  uint pairs;  // that are turned; the rest of a row stays
  uint length;
  uint heads;
  uint offsets;  // 1, or one for each element of the batch
  uint traditional;
  uint has_frequencies;
  float scale;
  float log_base;  // of the frequencies, divided by the number of pairs
};

// x: a pair or an element that stays, y: the position, z: batch and head.
kernel void rope(device const T* x [[buffer(0)]],
                 device const int* offset [[buffer(1)]],
                 device const float* frequencies [[buffer(2)]],
                 device T* y [[buffer(3)]],
                 constant Rope& rope [[buffer(4)]],
                 uint3 position [[thread_position_in_grid]]) {
  ulong row = (ulong(position.z) * rope.length + position.y) * rope.width;
  x += row;
  y += row;
  uint pair = position.x;
  if (pair >= rope.pairs) {
    y[pair + rope.pairs] = x[pair + rope.pairs];
    return;
  }
  int start = offset[rope.offsets == 1 ? 0 : position.z / rope.heads];
  float inverse = rope.has_frequencies ? 1.0f / frequencies[pair]
                                       : metal::precise::exp(-float(pair) * rope.log_base);
  float angle = (float(position.y) + float(start)) * rope.scale * inverse;
  float sine = metal::precise::sin(angle), cosine = metal::precise::cos(angle);
  uint first = rope.traditional ? 2 * pair : pair;
  uint second = rope.traditional ? first + 1 : pair + rope.pairs;
  float a = float(x[first]), b = float(x[second]);
  y[first] = T(a * cosine - b * sine);
  y[second] = T(a * sine + b * cosine);
}
