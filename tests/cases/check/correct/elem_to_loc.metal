// Strided copy of a permuted array as MLX writes it.
#include <metal_stdlib>
using namespace metal;

inline size_t elem_to_loc(uint elem, constant const int* shape, constant const size_t* strides,
                          int ndim) {
  size_t loc = 0;
  for (int d = ndim - 1; d >= 0 && elem > 0; --d) {
    loc += (elem % shape[d]) * strides[d];
    elem /= shape[d];
  }
  return loc;
}

[[kernel]] void contiguous_copy(device const float* src [[buffer(0)]],
                                device float* dst [[buffer(1)]],
                                constant const int* shape [[buffer(2)]],
                                constant const size_t* strides [[buffer(3)]],
                                constant const int& ndim [[buffer(4)]],
                                uint index [[thread_position_in_grid]]) {
  dst[index] = src[elem_to_loc(index, shape, strides, ndim)];
}
