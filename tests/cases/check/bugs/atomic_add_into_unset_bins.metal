// The host forgot to clear the bins.
#include <metal_stdlib>
using namespace metal;

kernel void count_digits(device const uint* numbers [[buffer(0)]],
                         device atomic_uint* bins [[buffer(1)]],
                         uint i [[thread_position_in_grid]]) {
  uint digit = numbers[i] % 10;
  atomic_fetch_add_explicit(&bins[digit], 1u, memory_order_relaxed);  // BUG: uninitialised-device
}
