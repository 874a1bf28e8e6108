// Rotary positions. In front of this text stands the type T.

struct Rope {
  uint width;  // of a row
  uint pairs;  // that are turned; the rest of a row stays
  uint length;
  uint heads;
  uint heads_together;
  uint offsets;  // 1, or one for each element of the batch
  uint has_frequencies;
  float scale;
  float log_base;  // of the frequencies, divided by the number of pairs
};

// x: a pair or an element that stays, y: the position, z: the batch and some of its heads, which
// share the angle.
template <bool traditional>
kernel void rope_rows(device const T* x [[buffer(0)]],
                      device const int* offset [[buffer(1)]],
                      device const float* frequencies [[buffer(2)]],
                      device T* y [[buffer(3)]],
                      constant Rope& rope [[buffer(4)]],
                      uint3 position [[thread_position_in_grid]]) {
  uint groups = (rope.heads + rope.heads_together - 1) / rope.heads_together;
  uint batch = position.z / groups;
  uint begin = position.z % groups * rope.heads_together;
  uint end = min(begin + rope.heads_together, rope.heads);
  ulong matrix = ulong(rope.length) * rope.width;
  ulong start = (ulong(batch) * rope.heads + begin) * matrix + ulong(position.y) * rope.width;
  uint pair = position.x;
  if (pair >= rope.pairs) {
    for (uint head = begin; head < end; ++head, start += matrix) {
      y[start + pair + rope.pairs] = x[start + pair + rope.pairs];
    }
    return;
  }
  float inverse = rope.has_frequencies ? 1.0f / frequencies[pair]
                                       : metal::precise::exp(-float(pair) * rope.log_base);
  float place = float(position.y) + float(offset[rope.offsets == 1 ? 0 : batch]);
  float angle = place * rope.scale * inverse;
  float sine = metal::precise::sin(angle), cosine = metal::precise::cos(angle);
  uint first = traditional ? 2 * pair : pair;
  uint second = traditional ? first + 1 : pair + rope.pairs;
  for (uint head = begin; head < end; ++head, start += matrix) {
    float a = float(x[start + first]), b = float(x[start + second]);
    y[start + first] = T(a * cosine - b * sine);
    y[start + second] = T(a * sine + b * cosine);
  }
}
template [[host_name("rope")]] kernel decltype(rope_rows<false>) rope_rows<false>;
template [[host_name("rope_traditional")]] kernel decltype(rope_rows<true>) rope_rows<true>;
