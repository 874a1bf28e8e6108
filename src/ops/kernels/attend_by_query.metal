
// A thread for each row: neighbours share keys and values, which are therefore read once for all.
kernel void attend_by_query(device const T* q [[buffer(0)]],
                            device const C* k [[buffer(1)]],
                            device const C* v [[buffer(2)]],
                            device const M* mask [[buffer(3)]],
                            device const T* sinks [[buffer(4)]],
                            device T* y [[buffer(5)]],
                            constant Attention& a [[buffer(6)]],
                            uint3 position [[thread_position_in_grid]],
                            uint3 group [[threadgroup_position_in_grid]]) {
  uint query = position.x % a.queries, batch = position.z;
  uint head = position.y * a.repeats + position.x / a.queries;
  q += long(batch) * a.query_batch + long(head) * a.query_head + long(query) * a.query_row;
  k += long(batch) * a.key_batch + long(position.y) * a.key_head;
  v += long(batch) * a.value_batch + long(position.y) * a.value_head;
  mask += long(batch) * a.mask_batch + long(head) * a.mask_head + long(query) * a.mask_row;
  float own[kDepth], result[kValueDepth], scores[kBlock];
  for (uint d = 0; d < kDepth; ++d) own[d] = float(q[d]) * a.scale;
  for (uint d = 0; d < kValueDepth; ++d) result[d] = 0.0f;
  float highest = a.has_sinks ? float(sinks[head]) : -INFINITY;
  float total = a.has_sinks ? 1.0f : 0.0f;
  int last = last_seen(a, query);
  uint end = end_of_keys(a, group.x * 32, min(group.x * 32 + 32, a.repeats * a.queries) - 1);
  for (uint first = 0; first < end; first += kBlock) {
    for (uint j = 0; j < kBlock; j += 8) {
      device const C* k0 = k + long(min(first + j, a.keys - 1)) * a.key_row;
      device const C* k1 = k + long(min(first + j + 1, a.keys - 1)) * a.key_row;
      device const C* k2 = k + long(min(first + j + 2, a.keys - 1)) * a.key_row;
      device const C* k3 = k + long(min(first + j + 3, a.keys - 1)) * a.key_row;
      device const C* k4 = k + long(min(first + j + 4, a.keys - 1)) * a.key_row;
      device const C* k5 = k + long(min(first + j + 5, a.keys - 1)) * a.key_row;
      device const C* k6 = k + long(min(first + j + 6, a.keys - 1)) * a.key_row;
      device const C* k7 = k + long(min(first + j + 7, a.keys - 1)) * a.key_row;
      float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f, s4 = 0.0f, s5 = 0.0f, s6 = 0.0f, s7 = 0.0f;
      for (uint d = 0; d < kDepth; ++d) {
        float x = own[d];
        s0 = fma(x, float(k0[d]), s0);
        s1 = fma(x, float(k1[d]), s1);
        s2 = fma(x, float(k2[d]), s2);
        s3 = fma(x, float(k3[d]), s3);
        s4 = fma(x, float(k4[d]), s4);
        s5 = fma(x, float(k5[d]), s5);
        s6 = fma(x, float(k6[d]), s6);
        s7 = fma(x, float(k7[d]), s7);
      }
      scores[j] = s0;
      scores[j + 1] = s1;
      scores[j + 2] = s2;
      scores[j + 3] = s3;
      scores[j + 4] = s4;
      scores[j + 5] = s5;
      scores[j + 6] = s6;
      scores[j + 7] = s7;
    }
    float next = highest;
    for (uint j = 0; j < kBlock; ++j) {
      uint key = first + j;
      float score = key < a.keys ? masked(scores[j], mask, a, min(key, a.keys - 1), last) : -INFINITY;
      scores[j] = score;
      next = max(next, score);
    }
    float base = next == -INFINITY ? 0.0f : next;
    float shrink = metal::precise::exp(highest - base), part = 0.0f;
    for (uint j = 0; j < kBlock; ++j) {
      float weight = metal::precise::exp(scores[j] - base);
      scores[j] = weight;
      part += weight;
    }
    total = total * shrink + part;
    highest = next;
    uint count = min(kBlock, a.keys - first);
    device const C* values = v + long(first) * a.value_row;
    uint d = 0;
    for (; d + 8 <= kValueDepth; d += 8) {
      float r0 = result[d] * shrink, r1 = result[d + 1] * shrink;
      float r2 = result[d + 2] * shrink, r3 = result[d + 3] * shrink;
      float r4 = result[d + 4] * shrink, r5 = result[d + 5] * shrink;
      float r6 = result[d + 6] * shrink, r7 = result[d + 7] * shrink;
      for (uint j = 0; j < count; ++j) {
        device const C* row = values + long(j) * a.value_row + d;
        float weight = scores[j];
        r0 = fma(weight, float(row[0]), r0);
        r1 = fma(weight, float(row[1]), r1);
        r2 = fma(weight, float(row[2]), r2);
        r3 = fma(weight, float(row[3]), r3);
        r4 = fma(weight, float(row[4]), r4);
        r5 = fma(weight, float(row[5]), r5);
        r6 = fma(weight, float(row[6]), r6);
        r7 = fma(weight, float(row[7]), r7);
      }
      result[d] = r0;
      result[d + 1] = r1;
      result[d + 2] = r2;
      result[d + 3] = r3;
      result[d + 4] = r4;
      result[d + 5] = r5;
      result[d + 6] = r6;
      result[d + 7] = r7;
    }
    for (; d < kValueDepth; ++d) {
      float r = result[d] * shrink;
      for (uint j = 0; j < count; ++j) {
        r = fma(scores[j], float(values[long(j) * a.value_row + d]), r);
      }
      result[d] = r;
    }
  }
  y += ((ulong(batch) * a.heads + head) * a.queries + query) * kValueDepth;
  for (uint d = 0; d < kValueDepth; ++d) y[d] = T(result[d] / total);
}
