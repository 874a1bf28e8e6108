// Positions of extremes along one axis, the first of equal ones. In front of this text stand the
// types In and Acc and the function is_better(a, b).

struct Layout {
  uint width;   // results along x
  uint length;  // of the axis
  uint chunk;   // the pieces that are searched apart
  int kept_rank;
  long stride;  // of the axis
};

constant constexpr uint kNone = 0xffffffffu;

struct Found {
  Acc value;
  uint index;
};

inline Found nothing() {
  Found found;
  found.value = Acc(0);
  found.index = kNone;
  return found;
}

inline Found better(Found a, Found b) {
  if (b.index == kNone) return a;
  if (a.index == kNone) return b;
  bool takes_b = is_better(b.value, a.value) || (!is_better(a.value, b.value) && b.index < a.index);
  return takes_b ? b : a;
}

template <ushort step>
inline Found move_down(Found found) {
  Found moved;
  moved.value = move_value_down<step>(found.value);
  moved.index = simd_shuffle_down(found.index, step);
  return moved;
}

// The next element of a search that goes upwards; what compares with nothing is never found.
inline Found advance(Found best, Acc value, uint index) {
  bool takes = value == value && (best.index == kNone || is_better(value, best.value));
  Found next;
  next.value = takes ? value : best.value;
  next.index = takes ? index : best.index;
  return next;
}

// The last word on a result is never "none".
inline uint settle(Found found, uint pieces) {
  return pieces == 1 && found.index == kNone ? 0 : found.index;
}

inline long locate(uint index, int rank, constant int* shape, constant long* strides) {
  long position = 0;
  for (int axis = rank - 1; axis > 0; --axis) {
    position += long(index % uint(shape[axis])) * strides[axis];
    index /= uint(shape[axis]);
  }
  return rank > 0 ? position + long(index) * strides[0] : position;
}

// A simdgroup for each result and piece.
template <bool contiguous>
kernel void arg_rows(device const In* x [[buffer(0)]],
                     device uint* y [[buffer(1)]],
                     constant Layout& layout [[buffer(2)]],
                     constant int* shape [[buffer(3)]],
                     constant long* strides [[buffer(4)]],
                     uint piece [[threadgroup_position_in_grid]],
                     uint pieces [[threadgroups_per_grid]],
                     uint2 position [[thread_position_in_grid]],
                     uint lane [[thread_index_in_simdgroup]]) {
  device const In* row = x + locate(position.y, layout.kept_rank, shape, strides);
  long step = contiguous ? 1 : layout.stride;
  uint begin = piece * layout.chunk;
  uint end = min(begin + layout.chunk, layout.length);
  Found best = nothing();
  uint i = begin;
  for (; i + 32 <= end; i += 32) {
    best = advance(best, Acc(row[long(i + lane) * step]), i + lane);
  }
  if (i + lane < end) best = advance(best, Acc(row[long(i + lane) * step]), i + lane);
  best = better(best, move_down<16>(best));
  best = better(best, move_down<8>(best));
  best = better(best, move_down<4>(best));
  best = better(best, move_down<2>(best));
  best = better(best, move_down<1>(best));
  if (lane == 0) y[ulong(position.y) * pieces + piece] = settle(best, pieces);
}
template [[host_name("arg_rows")]] kernel decltype(arg_rows<true>) arg_rows<true>;
template [[host_name("arg_strided_rows")]] kernel decltype(arg_rows<false>) arg_rows<false>;

// A thread for each result and piece: x within the innermost kept axis, y the other kept axes.
kernel void arg_columns(device const In* x [[buffer(0)]],
                        device uint* y [[buffer(1)]],
                        constant Layout& layout [[buffer(2)]],
                        constant int* shape [[buffer(3)]],
                        constant long* strides [[buffer(4)]],
                        uint3 position [[thread_position_in_grid]],
                        uint3 grid [[threads_per_grid]]) {
  device const In* column = x + locate(position.y, layout.kept_rank, shape, strides) + position.x;
  uint begin = position.z * layout.chunk;
  uint end = min(begin + layout.chunk, layout.length);
  Found best = nothing();
  for (uint i = begin; i < end; ++i) {
    best = advance(best, Acc(column[long(i) * layout.stride]), i);
  }
  y[(ulong(position.y) * layout.width + position.x) * grid.z + position.z] = settle(best, grid.z);
}

// A thread for each result, wherever its elements lie.
kernel void arg_each(device const In* x [[buffer(0)]],
                     device uint* y [[buffer(1)]],
                     constant Layout& layout [[buffer(2)]],
                     constant int* shape [[buffer(3)]],
                     constant long* strides [[buffer(4)]],
                     uint position [[thread_position_in_grid]]) {
  device const In* row = x + locate(position, layout.kept_rank, shape, strides);
  Found best = nothing();
  for (uint i = 0; i < layout.length; ++i) {
    best = advance(best, Acc(row[long(i) * layout.stride]), i);
  }
  y[position] = settle(best, 1);
}

// The best of each result's pieces.
kernel void arg_pick(device const In* x [[buffer(0)]],
                     device const uint* found [[buffer(1)]],
                     device uint* y [[buffer(2)]],
                     constant Layout& layout [[buffer(3)]],
                     constant int* shape [[buffer(4)]],
                     constant long* strides [[buffer(5)]],
                     constant uint& pieces [[buffer(6)]],
                     uint position [[thread_position_in_grid]]) {
  device const In* row = x + locate(position, layout.kept_rank, shape, strides);
  Found best = nothing();
  for (uint piece = 0; piece < pieces; ++piece) {
    uint index = found[ulong(position) * pieces + piece];
    if (index != kNone) best = advance(best, Acc(row[long(index) * layout.stride]), index);
  }
  y[position] = settle(best, 1);
}
