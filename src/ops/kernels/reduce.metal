// What all forms of reductions share. In front of this text stand the fold (write_fold) and the
// source of the elements (write_reduce_source): Source, Steps, advance(), inner_steps(), element()
// and finish(). The words in capitals below are put in by write_reduction.

// A result is reached through the kept axes, the elements that it is made of through the reduced
// ones: `outer` times `inner`. The strides of all axes stand array by array, the inner one's last.
struct Layout {
  uint width;        // results along x
  uint inner;
  uint outer;
  uint inner_chunk;  // of these sizes are the pieces that are reduced apart
  uint outer_chunk;
  int kept_rank;
  int outer_first;
  int outer_rank;
  int axes;          // strides of one array
};

inline Source locate(Source from, uint index, int first, int rank, constant Layout& layout,
                     constant int* shape, constant long* strides) {
  for (int axis = first + rank - 1; axis > first; --axis) {
    from = advance(from, long(index % uint(shape[axis])), strides + axis, layout.axes);
    index /= uint(shape[axis]);
  }
  return rank > 0 ? advance(from, long(index), strides + first, layout.axes) : from;
}
