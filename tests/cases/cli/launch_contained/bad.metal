#include <metal_stdlib>
using namespace metal;

kernel void write_far(device uint* out, constant ulong& distance,
                      uint i [[thread_position_in_grid]]) {
  out[i + distance] = i;
}

kernel void wait_for_ever(device atomic_uint* out, constant uint& value) {
  while (atomic_load_explicit(out, memory_order_relaxed) != value) {
  }
}

kernel void divide(device int* out, constant int& by, uint i [[thread_position_in_grid]]) {
  out[i] = int(i) / by;
}
