// Gradient of a gather with float atomics.
#include <metal_stdlib>
using namespace metal;

kernel void scatter_add(device const int* indices [[buffer(0)]],
                        device const float* values [[buffer(1)]],
                        device float* grad [[buffer(2)]],
                        uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit((device atomic<float>*)&grad[indices[i]], values[i],
                            memory_order_relaxed);
}
