// Sorts rows of keys: 32 in the lanes of a simdgroup, then runs twice as long from pairs of runs. In
// front of this text stand the types T, Key and Result and the functions element_at(), encode() and
// decode().

// Elements of an array: rows from the kept axes, positions along the sorted one.
struct Layout {
  uint length;
  uint padded;  // a multiple of 32; keys behind the last element are the highest
  uint inner;   // distance of neighbours in the result
  int kept_rank;
  long stride;
};

constant constexpr Key kHighest = ~Key(0);

inline long locate(uint index, int rank, constant int* shape, constant long* strides) {
  long position = 0;
  for (int axis = rank - 1; axis > 0; --axis) {
    position += long(index % uint(shape[axis])) * strides[axis];
    index /= uint(shape[axis]);
  }
  return rank > 0 ? position + long(index) * strides[0] : position;
}

// x is the position in the padded row, y the row.
kernel void sort_load(device const T* x [[buffer(0)]],
                      device const uint* order [[buffer(1)]],
                      device Key* keys [[buffer(2)]],
                      constant Layout& layout [[buffer(3)]],
                      constant int* shape [[buffer(4)]],
                      constant long* strides [[buffer(5)]],
                      uint2 position [[thread_position_in_grid]]) {
  Key key = kHighest;
  ulong place = ulong(position.y) * layout.padded + position.x;
  if (position.x < layout.length) {
    long start = locate(position.y, layout.kept_rank, shape, strides);
    uint element = element_at(order, place, position.x);
    key = encode(x[start + long(element) * layout.stride], position.x);
  }
  keys[place] = key;
}

kernel void sort_store(device const Key* keys [[buffer(0)]],
                       device const uint* order [[buffer(1)]],
                       device Result* y [[buffer(2)]],
                       constant Layout& layout [[buffer(3)]],
                       uint2 position [[thread_position_in_grid]]) {
  ulong row = ulong(position.y) * layout.padded;
  ulong start = ulong(position.y / layout.inner) * layout.length * layout.inner +
                position.y % layout.inner;
  y[start + ulong(position.x) * layout.inner] = decode(keys[row + position.x], order, row);
}

template <ushort distance>
inline Key exchange(Key value, bool is_low) {
  Key other = simd_shuffle_xor(value, distance);
  return (other < value) == is_low ? other : value;
}

// Lanes whose number has the bit `run` sort downwards, so that pairs of runs rise and fall.
template <ushort run, ushort distance>
inline Key exchange_run(Key value, uint lane) {
  return exchange<distance>(value, ((lane & distance) == 0) == ((lane & run) == 0));
}

inline Key sort_lanes(Key value, uint lane) {
  value = exchange_run<2, 1>(value, lane);
  value = exchange_run<4, 2>(value, lane);
  value = exchange_run<4, 1>(value, lane);
  value = exchange_run<8, 4>(value, lane);
  value = exchange_run<8, 2>(value, lane);
  value = exchange_run<8, 1>(value, lane);
  value = exchange_run<16, 8>(value, lane);
  value = exchange_run<16, 4>(value, lane);
  value = exchange_run<16, 2>(value, lane);
  value = exchange_run<16, 1>(value, lane);
  value = exchange_run<32, 16>(value, lane);
  value = exchange_run<32, 8>(value, lane);
  value = exchange_run<32, 4>(value, lane);
  value = exchange_run<32, 2>(value, lane);
  return exchange_run<32, 1>(value, lane);
}

// Lanes that first rise and then fall.
inline Key sort_hill(Key value, uint lane) {
  value = exchange<16>(value, (lane & 16) == 0);
  value = exchange<8>(value, (lane & 8) == 0);
  value = exchange<4>(value, (lane & 4) == 0);
  value = exchange<2>(value, (lane & 2) == 0);
  return exchange<1>(value, (lane & 1) == 0);
}

struct Run {
  uint begin, end;
};

inline Key take_block(device const Key* keys, thread Run& a, thread Run& b, uint lane) {
  bool takes_a = b.begin >= b.end || (a.begin < a.end && keys[a.begin] <= keys[b.begin]);
  uint begin = takes_a ? a.begin : b.begin;
  uint end = takes_a ? a.end : b.end;
  if (takes_a) {
    a.begin += 32;
  } else {
    b.begin += 32;
  }
  Key key = kHighest;
  if (begin + lane < end) key = keys[begin + lane];
  return key;
}

// Always the block whose first key is lower: the lower half of it and of what is left from the
// blocks before is lower than everything that follows.
inline void merge_runs(device const Key* from, Run a, Run b, device Key* to, uint lane) {
  uint total = (a.end - a.begin) + (b.end - b.begin);
  Key left = take_block(from, a, b, lane);
  uint done = 0;
  while (a.begin < a.end || b.begin < b.end) {
    Key next = simd_shuffle_xor(take_block(from, a, b, lane), ushort(31));
    bool is_lower = next < left;
    Key low = is_lower ? next : left;
    Key high = is_lower ? left : next;
    low = sort_hill(low, lane);
    if (done + lane < total) to[done + lane] = low;
    left = sort_hill(high, lane);
    done += 32;
  }
  if (done + lane < total) to[done + lane] = left;
}

// A simdgroup for each block: sorted in `a` if `levels` is even, else in `b`.
kernel void sort_blocks(device Key* a [[buffer(0)]],
                        device Key* b [[buffer(1)]],
                        constant uint& padded [[buffer(2)]],
                        constant uint& levels [[buffer(3)]],
                        uint block [[threadgroup_position_in_grid]],
                        uint2 position [[thread_position_in_grid]],
                        uint lane [[thread_index_in_simdgroup]]) {
  a += ulong(position.y) * padded;
  b += ulong(position.y) * padded;
  uint begin = block * (32u << levels);
  uint end = min(begin + (32u << levels), padded);
  for (uint i = begin; i < end; i += 32) a[i + lane] = sort_lanes(a[i + lane], lane);
  for (uint level = 0; level < levels; ++level) {
    simdgroup_barrier(mem_flags::mem_device);
    uint width = 32u << level;
    device const Key* from = (level & 1) == 0 ? a : b;
    device Key* to = (level & 1) == 0 ? b : a;
    for (uint start = begin; start < end; start += 2 * width) {
      uint middle = min(start + width, end);
      Run first, second;
      first.begin = start, first.end = middle;
      second.begin = middle, second.end = min(middle + width, end);
      merge_runs(from, first, second, to + start, lane);
    }
  }
}

// How many of the first `count` merged keys come from the run `a`.
inline uint split_merge(device const Key* keys, Run a, Run b, uint count) {
  uint length_a = a.end - a.begin, length_b = b.end - b.begin;
  uint low = count > length_b ? count - length_b : 0;
  uint high = min(count, length_a);
  while (low < high) {
    uint middle = (low + high) / 2;
    if (keys[a.begin + middle] <= keys[b.begin + count - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// A simdgroup for each `segment` keys of the result; `width` is a multiple of it.
kernel void sort_merge(device const Key* from [[buffer(0)]],
                       device Key* to [[buffer(1)]],
                       constant uint& padded [[buffer(2)]],
                       constant uint& width [[buffer(3)]],
                       constant uint& segment [[buffer(4)]],
                       uint index [[threadgroup_position_in_grid]],
                       uint2 position [[thread_position_in_grid]],
                       uint lane [[thread_index_in_simdgroup]]) {
  from += ulong(position.y) * padded;
  to += ulong(position.y) * padded;
  uint begin = index * segment;
  uint start = begin / (2 * width) * (2 * width);
  Run a, b;
  a.begin = start, a.end = min(start + width, padded);
  b.begin = a.end, b.end = min(a.end + width, padded);
  uint end = min(begin + segment, b.end);
  uint from_a = split_merge(from, a, b, begin - start);
  uint until_a = split_merge(from, a, b, end - start);
  Run part_a, part_b;
  part_a.begin = a.begin + from_a, part_a.end = a.begin + until_a;
  part_b.begin = b.begin + (begin - start - from_a);
  part_b.end = b.begin + (end - start - until_a);
  merge_runs(from, part_a, part_b, to + begin, lane);
}
