
// A thread for each result, wherever its elements lie.
kernel void NAME(device Result* y [[buffer(0)]],
                 constant Layout& layout [[buffer(1)]],
                 constant int* shape [[buffer(2)]],
                 constant long* strides [[buffer(3)]],
                 PARAMETERS
                 uint position [[thread_position_in_grid]]) {
  Source start = locate(SOURCE, position, 0, layout.kept_rank, layout, shape, strides);
  Steps steps = inner_steps(strides + layout.axes - 1, layout.axes);
  Acc total = identity();
  for (uint i = 0; i < layout.outer; ++i) {
    Source row = locate(start, i, layout.outer_first, layout.outer_rank, layout, shape, strides);
    Acc part = identity();
    for (uint j = 0; j < layout.inner; ++j) part = combine(part, element(row, steps, j));
    total = combine(total, part);
  }
  y[position] = finish(start, total);
}
