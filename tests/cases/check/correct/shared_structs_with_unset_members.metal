// Members without a value travel through threadgroup memory with the others: in a sort, by value
// through functions, and out to a buffer of structs. Nobody computes with them; what depends on the
// kind is looked at only where it was given.
#include <metal_stdlib>
using namespace metal;

struct Entry {
  float key;
  uint kind;
  float detail;  // of entries of kind 1
  uint spare;    // of nobody
};

struct Flags {
  uint low : 4;
  uint high : 12;
};

struct Cell {
  Flags flags;
  float value;
};

inline Entry smaller(Entry a, Entry b) { return b.key < a.key ? b : a; }

kernel void sort_entries(device const float* input [[buffer(0)]],
                         device float* output [[buffer(1)]],
                         device Entry* entries [[buffer(2)]],
                         uint i [[thread_position_in_grid]],
                         uint t [[thread_position_in_threadgroup]]) {
  threadgroup Entry line[64];
  threadgroup Entry least[64];
  threadgroup Cell cells[64];
  Entry own;
  own.key = input[i];
  own.kind = t % 2;
  if (own.kind == 1) own.detail = input[i] * 3;
  line[t] = own;
  least[t] = own;
  Cell cell;
  cell.value = input[i];
  cells[t] = cell;
  cells[t].flags.low = t & 15;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint round = 0; round < 64; ++round) {
    const uint left = 2 * t + round % 2;
    if (left + 1 < 64) {
      Entry a = line[left];
      Entry b = line[left + 1];
      if (b.key < a.key) {
        line[left] = b;
        line[left + 1] = a;
      }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  for (uint step = 32; step > 0; step /= 2) {
    if (t < step) least[t] = smaller(least[t], least[t + step]);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  Entry mine = line[t];
  Entry first = least[0];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float detail = mine.kind == 1 ? mine.detail : 0;
  if (first.kind == 1) detail += first.detail;
  output[i] = mine.key + detail + float(cells[63 - t].flags.low) + cells[63 - t].value;
  entries[i] = mine;
}
