
inline Acc combine_lanes(Acc value) {
  value = combine(value, move_down<16>(value));
  value = combine(value, move_down<8>(value));
  value = combine(value, move_down<4>(value));
  value = combine(value, move_down<2>(value));
  return combine(value, move_down<1>(value));
}

// Sums in blocks: the error of a long row grows with the number of blocks, not of elements.
constant constexpr uint kBlock = 4096;
constant constexpr uint kOuterBlock = 64;

inline Acc reduce_row(Source row, Steps steps, uint begin, uint end, uint lane) {
  Acc total = identity();
  for (uint block = begin; block < end; block += kBlock) {
    uint stop = min(block + kBlock, end);
    Acc a = identity(), b = identity(), c = identity(), d = identity();
    uint i = block;
    for (; i + 128 <= stop; i += 128) {
      a = combine(a, element(row, steps, i + lane));
      b = combine(b, element(row, steps, i + lane + 32));
      c = combine(c, element(row, steps, i + lane + 64));
      d = combine(d, element(row, steps, i + lane + 96));
    }
    for (; i + 32 <= stop; i += 32) a = combine(a, element(row, steps, i + lane));
    if (i + lane < stop) b = combine(b, element(row, steps, i + lane));
    total = combine(total, combine(combine(a, b), combine(c, d)));
  }
  return total;
}

// A simdgroup for each result and piece.
kernel void NAME(device Result* y [[buffer(0)]],
                 constant Layout& layout [[buffer(1)]],
                 constant int* shape [[buffer(2)]],
                 constant long* strides [[buffer(3)]],
                 PARAMETERS
                 uint piece [[threadgroup_position_in_grid]],
                 uint pieces [[threadgroups_per_grid]],
                 uint2 position [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  uint outer_begin = layout.outer == 1 ? 0 : piece * layout.outer_chunk;
  uint outer_end = min(outer_begin + layout.outer_chunk, layout.outer);
  uint inner_begin = layout.outer == 1 ? piece * layout.inner_chunk : 0;
  uint inner_end = min(inner_begin + layout.inner_chunk, layout.inner);
  Source start = locate(SOURCE, position.y, 0, layout.kept_rank, layout, shape, strides);
  Steps steps = inner_steps(strides + layout.axes - 1, layout.axes);
  Acc total = identity(), part = identity();
  for (uint i = outer_begin; i < outer_end; ++i) {
    Source row = locate(start, i, layout.outer_first, layout.outer_rank, layout, shape, strides);
    part = combine(part, reduce_row(row, steps, inner_begin, inner_end, lane));
    if (i % kOuterBlock == kOuterBlock - 1) {
      total = combine(total, part);
      part = identity();
    }
  }
  total = combine_lanes(combine(total, part));
  if (lane == 0) y[ulong(position.y) * pieces + piece] = finish(start, total);
}
