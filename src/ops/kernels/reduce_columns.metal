
// A thread for each result: neighbours along x lie next to each other in memory.
kernel void NAME(device Result* y [[buffer(0)]],
                 constant Layout& layout [[buffer(1)]],
                 constant int* shape [[buffer(2)]],
                 constant long* strides [[buffer(3)]],
                 PARAMETERS
                 uint3 position [[thread_position_in_grid]],
                 uint3 grid [[threads_per_grid]]) {
  uint outer_begin = layout.outer == 1 ? 0 : position.z * layout.outer_chunk;
  uint outer_end = min(outer_begin + layout.outer_chunk, layout.outer);
  uint inner_begin = layout.outer == 1 ? position.z * layout.inner_chunk : 0;
  uint inner_end = min(inner_begin + layout.inner_chunk, layout.inner);
  Source start = locate(SOURCE, position.y, 0, layout.kept_rank, layout, shape, strides);
  start = beside(start, position.x, strides + layout.kept_rank, layout.axes);
  Steps steps = inner_steps(strides + layout.axes - 1, layout.axes);
  Acc total = identity();
  for (uint i = outer_begin; i < outer_end; ++i) {
    Source column = locate(start, i, layout.outer_first, layout.outer_rank, layout, shape, strides);
    for (uint block = inner_begin; block < inner_end; block += 256) {
      uint stop = min(block + 256, inner_end);
      Acc a = identity(), b = identity(), c = identity(), d = identity();
      uint j = block;
      for (; j + 4 <= stop; j += 4) {
        a = combine(a, element(column, steps, j));
        b = combine(b, element(column, steps, j + 1));
        c = combine(c, element(column, steps, j + 2));
        d = combine(d, element(column, steps, j + 3));
      }
      for (; j < stop; ++j) a = combine(a, element(column, steps, j));
      total = combine(total, combine(combine(a, b), combine(c, d)));
    }
  }
  y[(ulong(position.z) * grid.y + position.y) * layout.width + position.x] = finish(start, total);
}
