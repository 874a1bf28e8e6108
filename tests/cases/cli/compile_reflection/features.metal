#include <metal_stdlib>
using namespace metal;

constant bool has_bias [[function_constant(0)]];
constant int rounds [[function_constant(3)]];

struct Size {
  uint rows, columns;
};

kernel void scale(device const half4* x [[buffer(1)]],
                  device atomic_uint* counter [[buffer(0)]],
                  device float* result [[buffer(2)]],
                  constant Size& size [[buffer(3)]],
                  device const float* bias [[buffer(4), function_constant(has_bias)]],
                  threadgroup float* scratch [[threadgroup(0)]],
                  uint2 position [[thread_position_in_grid]],
                  ushort lane [[thread_index_in_simdgroup]]) {
  threadgroup float tile[64];
  tile[lane] = float(x[position.x].y);
  scratch[lane] = tile[lane];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (int i = 0; i < rounds; ++i) result[position.y * size.columns] += scratch[lane];
  if (has_bias) result[position.x] += bias[0];
  atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

[[kernel, max_total_threads_per_threadgroup(128), host_name("small kernel")]]
void small_one() {}
