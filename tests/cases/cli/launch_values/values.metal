#include <metal_stdlib>
using namespace metal;

constant int offset [[function_constant(0)]];
constant bool has_extra [[function_constant(1)]];

struct Pair {
  uint first;
  float second;
};

// Writes what the values of the command line look like to a kernel.
kernel void show(device float* result [[buffer(0)]],
                 constant int& a [[buffer(1)]],
                 constant half& b [[buffer(2)]],
                 constant float4& c [[buffer(3)]],
                 constant Pair& d [[buffer(4)]],
                 constant bool& e [[buffer(5)]],
                 device const float* extra [[buffer(6), function_constant(has_extra)]]) {
  result[0] = a + offset;
  result[1] = b;
  result[2] = c.x + 10 * c.w;
  result[3] = d.first + d.second;
  result[4] = e ? 1 : 0;
  if (has_extra) result[5] = extra[0];
}

kernel void shared_sum(device uint* result [[buffer(0)]],
                       threadgroup uint* first [[threadgroup(0)]],
                       threadgroup uint* second [[threadgroup(1)]],
                       uint2 position [[thread_position_in_grid]],
                       uint2 grid [[threads_per_grid]],
                       uint index [[thread_index_in_threadgroup]]) {
  first[index] = position.x;
  second[index] = 100 * position.y;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  result[position.y * grid.x + position.x] = first[index] + second[index];
}

kernel void fill_bfloat(device bfloat* result [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  result[i] = bfloat(i) * bfloat(0.5f);
}
