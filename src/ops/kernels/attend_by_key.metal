
constant constexpr uint kParts = (kDepth + 31) / 32, kValueParts = (kValueDepth + 31) / 32;

template <uint depth, typename E>
inline float part_of(device const E* row, uint part, uint lane) {
  uint d = part * 32 + lane;
  return depth % 32 == 0 || d < depth ? float(row[d]) : 0.0f;
}

// A simdgroup for each row: lanes share a key. For few queries, where reading keys and values is all
// the work.
kernel void attend_by_key(device const T* q [[buffer(0)]],
                          device const C* k [[buffer(1)]],
                          device const C* v [[buffer(2)]],
                          device const M* mask [[buffer(3)]],
                          device const T* sinks [[buffer(4)]],
                          device T* y [[buffer(5)]],
                          constant Attention& a [[buffer(6)]],
                          uint3 group [[threadgroup_position_in_grid]],
                          uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float weights[kBlock];
  uint query = group.x % a.queries, batch = group.z;
  uint head = group.y * a.repeats + group.x / a.queries;
  q += long(batch) * a.query_batch + long(head) * a.query_head + long(query) * a.query_row;
  k += long(batch) * a.key_batch + long(group.y) * a.key_head;
  v += long(batch) * a.value_batch + long(group.y) * a.value_head;
  mask += long(batch) * a.mask_batch + long(head) * a.mask_head + long(query) * a.mask_row;
  float own[kParts], result[kValueParts];
  for (uint c = 0; c < kParts; ++c) own[c] = part_of<kDepth>(q, c, lane) * a.scale;
  for (uint c = 0; c < kValueParts; ++c) result[c] = 0.0f;
  float highest = a.has_sinks ? float(sinks[head]) : -INFINITY;
  float total = a.has_sinks && lane == 0 ? 1.0f : 0.0f;
  int last = last_seen(a, query);
  uint end = end_of_keys(a, group.x, group.x);
  for (uint first = 0; first < end; first += kBlock) {
    uint count = min(kBlock, a.keys - first);
    float score = -INFINITY;
    for (uint j = 0; j < count; ++j) {
      device const C* row = k + long(first + j) * a.key_row;
      float sum = 0.0f;
      for (uint c = 0; c < kParts; ++c) sum = fma(own[c], part_of<kDepth>(row, c, lane), sum);
      sum = simd_sum(sum);
      score = lane == j ? sum : score;
    }
    if (lane < count) score = masked(score, mask, a, first + lane, last);
    float next = max(highest, simd_max(score));
    float base = next == -INFINITY ? 0.0f : next;
    float shrink = metal::precise::exp(highest - base);
    float weight = metal::precise::exp(score - base);
    total = total * shrink + weight;
    highest = next;
    for (uint c = 0; c < kValueParts; ++c) result[c] *= shrink;
    weights[lane] = weight;
    simdgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = 0; j < count; ++j) {
      device const C* row = v + long(first + j) * a.value_row;
      for (uint c = 0; c < kValueParts; ++c) {
        result[c] = fma(weights[j], part_of<kValueDepth>(row, c, lane), result[c]);
      }
    }
    simdgroup_barrier(mem_flags::mem_threadgroup);
  }
  total = simd_sum(total);
  y += ((ulong(batch) * a.heads + head) * a.queries + query) * kValueDepth;
  for (uint c = 0; c < kValueParts; ++c) {
    uint d = c * 32 + lane;
    if (d < kValueDepth) y[d] = T(result[c] / total);
  }
}
