// n / 2 threads, each swaps its pair.
#include <metal_stdlib>
using namespace metal;

kernel void reverse(device short* a [[buffer(0)]],
                    constant uint& n [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  if (i >= n / 2) return;
  short front = a[i];
  a[i] = a[n - 1 - i];
  a[n - 1 - i] = front;
}
