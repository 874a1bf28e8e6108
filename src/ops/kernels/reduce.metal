// Reductions. In front of this text stands what write_fold() makes.

// Elements of a result are reached through the kept axes, those that it is made of through the
// reduced ones: `outer` times `inner`, the latter with one stride.
struct Layout {
  uint width;        // results along x
  uint inner;
  uint outer;
  uint inner_chunk;  // of these sizes are the pieces that are reduced apart
  uint outer_chunk;
  int kept_rank;
  int outer_rank;
  long inner_stride;
};

inline long locate(uint index, int rank, constant int* shape, constant long* strides) {
  long position = 0;
  for (int axis = rank - 1; axis > 0; --axis) {
    position += long(index % uint(shape[axis])) * strides[axis];
    index /= uint(shape[axis]);
  }
  return rank > 0 ? position + long(index) * strides[0] : position;
}

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

template <bool contiguous>
inline Acc reduce_row(device const In* row, uint begin, uint end, long stride, uint lane) {
  Acc total = identity();
  long step = contiguous ? 1 : stride;
  for (uint block = begin; block < end; block += kBlock) {
    uint stop = min(block + kBlock, end);
    Acc a = identity(), b = identity(), c = identity(), d = identity();
    uint i = block;
    for (; i + 128 <= stop; i += 128) {
      a = combine(a, load(row[long(i + lane) * step]));
      b = combine(b, load(row[long(i + lane + 32) * step]));
      c = combine(c, load(row[long(i + lane + 64) * step]));
      d = combine(d, load(row[long(i + lane + 96) * step]));
    }
    for (; i + 32 <= stop; i += 32) a = combine(a, load(row[long(i + lane) * step]));
    if (i + lane < stop) b = combine(b, load(row[long(i + lane) * step]));
    total = combine(total, combine(combine(a, b), combine(c, d)));
  }
  return total;
}

// A simdgroup for each result and piece.
template <bool contiguous>
kernel void reduce_rows(device const In* x [[buffer(0)]],
                        device Out* y [[buffer(1)]],
                        constant Layout& layout [[buffer(2)]],
                        constant int* shape [[buffer(3)]],
                        constant long* strides [[buffer(4)]],
                        uint piece [[threadgroup_position_in_grid]],
                        uint pieces [[threadgroups_per_grid]],
                        uint2 position [[thread_position_in_grid]],
                        uint lane [[thread_index_in_simdgroup]]) {
  uint outer_begin = layout.outer == 1 ? 0 : piece * layout.outer_chunk;
  uint outer_end = min(outer_begin + layout.outer_chunk, layout.outer);
  uint inner_begin = layout.outer == 1 ? piece * layout.inner_chunk : 0;
  uint inner_end = min(inner_begin + layout.inner_chunk, layout.inner);
  device const In* start = x + locate(position.y, layout.kept_rank, shape, strides);
  Acc total = identity(), part = identity();
  for (uint i = outer_begin; i < outer_end; ++i) {
    long row = locate(i, layout.outer_rank, shape + layout.kept_rank, strides + layout.kept_rank);
    part = combine(part, reduce_row<contiguous>(start + row, inner_begin, inner_end,
                                                layout.inner_stride, lane));
    if (i % kOuterBlock == kOuterBlock - 1) {
      total = combine(total, part);
      part = identity();
    }
  }
  total = combine_lanes(combine(total, part));
  if (lane == 0) y[ulong(position.y) * pieces + piece] = store(total);
}
template [[host_name("reduce_rows")]] kernel decltype(reduce_rows<true>) reduce_rows<true>;
template [[host_name("reduce_strided_rows")]] kernel decltype(reduce_rows<false>) reduce_rows<false>;

// A thread for each result: neighbours along x lie next to each other in memory.
kernel void reduce_columns(device const In* x [[buffer(0)]],
                           device Out* y [[buffer(1)]],
                           constant Layout& layout [[buffer(2)]],
                           constant int* shape [[buffer(3)]],
                           constant long* strides [[buffer(4)]],
                           uint3 position [[thread_position_in_grid]],
                           uint3 grid [[threads_per_grid]]) {
  uint outer_begin = layout.outer == 1 ? 0 : position.z * layout.outer_chunk;
  uint outer_end = min(outer_begin + layout.outer_chunk, layout.outer);
  uint inner_begin = layout.outer == 1 ? position.z * layout.inner_chunk : 0;
  uint inner_end = min(inner_begin + layout.inner_chunk, layout.inner);
  long stride = layout.inner_stride;
  device const In* start =
      x + locate(position.y, layout.kept_rank, shape, strides) + position.x;
  Acc total = identity();
  for (uint i = outer_begin; i < outer_end; ++i) {
    device const In* column =
        start + locate(i, layout.outer_rank, shape + layout.kept_rank, strides + layout.kept_rank);
    for (uint block = inner_begin; block < inner_end; block += 256) {
      uint stop = min(block + 256, inner_end);
      Acc a = identity(), b = identity(), c = identity(), d = identity();
      uint j = block;
      for (; j + 4 <= stop; j += 4) {
        a = combine(a, load(column[long(j) * stride]));
        b = combine(b, load(column[long(j + 1) * stride]));
        c = combine(c, load(column[long(j + 2) * stride]));
        d = combine(d, load(column[long(j + 3) * stride]));
      }
      for (; j < stop; ++j) a = combine(a, load(column[long(j) * stride]));
      total = combine(total, combine(combine(a, b), combine(c, d)));
    }
  }
  y[(ulong(position.z) * grid.y + position.y) * layout.width + position.x] = store(total);
}

// A thread for each result, wherever its elements lie.
kernel void reduce_each(device const In* x [[buffer(0)]],
                        device Out* y [[buffer(1)]],
                        constant Layout& layout [[buffer(2)]],
                        constant int* shape [[buffer(3)]],
                        constant long* strides [[buffer(4)]],
                        uint position [[thread_position_in_grid]]) {
  device const In* start = x + locate(position, layout.kept_rank, shape, strides);
  Acc total = identity();
  for (uint i = 0; i < layout.outer; ++i) {
    device const In* row =
        start + locate(i, layout.outer_rank, shape + layout.kept_rank, strides + layout.kept_rank);
    Acc part = identity();
    for (uint j = 0; j < layout.inner; ++j) {
      part = combine(part, load(row[long(j) * layout.inner_stride]));
    }
    total = combine(total, part);
  }
  y[position] = store(total);
}
