// Running results along one axis. In front of this text stands what write_fold() makes.

struct Layout {
  uint length;  // of the axis
  uint inner;   // distance of its elements
  uint reverse;
  uint exclusive;
};

template <ushort step>
inline Acc scan_step(Acc value, uint lane) {
  Acc before = move_up<step>(value);
  return lane >= step ? combine(before, value) : value;
}

inline Acc scan_lanes(Acc value, uint lane) {
  value = scan_step<1>(value, lane);
  value = scan_step<2>(value, lane);
  value = scan_step<4>(value, lane);
  value = scan_step<8>(value, lane);
  return scan_step<16>(value, lane);
}

// A simdgroup for each row of neighbours in memory. Backwards too, vectors are read and written as
// they lie in memory and turned around in between.
template <bool reverse>
kernel void scan_rows(device const In* x [[buffer(0)]],
                      device Out* y [[buffer(1)]],
                      constant Layout& layout [[buffer(2)]],
                      uint2 position [[thread_position_in_grid]],
                      uint lane [[thread_index_in_simdgroup]]) {
  x += ulong(position.y) * layout.length;
  y += ulong(position.y) * layout.length;
  Acc before = identity();
  for (uint base = 0; base < layout.length; base += 32) {
    long place = reverse ? long(layout.length) - 32 - long(base) + lane : long(base) + lane;
    bool is_inside = reverse ? place >= 0 : place < long(layout.length);
    Acc value = identity();
    if (is_inside) value = load(x[place]);
    if (reverse) value = turn_around(value);
    Acc scanned = combine(before, scan_lanes(value, lane));
    Acc earlier = move_up<1>(scanned);
    Acc result = !layout.exclusive ? scanned : lane == 0 ? before : earlier;
    if (reverse) result = turn_around(result);
    if (is_inside) y[place] = store(result);
    before = last_lane(scanned);
  }
}
template [[host_name("scan_rows")]] kernel decltype(scan_rows<false>) scan_rows<false>;
template [[host_name("scan_rows_back")]] kernel decltype(scan_rows<true>) scan_rows<true>;

// A thread for each line along the axis; neighbours along x lie next to each other.
kernel void scan_columns(device const In* x [[buffer(0)]],
                         device Out* y [[buffer(1)]],
                         constant Layout& layout [[buffer(2)]],
                         uint2 position [[thread_position_in_grid]]) {
  ulong start = ulong(position.y) * layout.length * layout.inner;
  Acc total = identity();
  for (uint i = 0; i < layout.length; ++i) {
    uint j = layout.reverse ? layout.length - 1 - i : i;
    ulong index = start + ulong(j) * layout.inner + position.x;
    Acc next = combine(total, load(x[index]));
    y[index] = store(layout.exclusive ? total : next);
    total = next;
  }
}
