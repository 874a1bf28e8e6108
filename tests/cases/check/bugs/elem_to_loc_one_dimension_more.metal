// Walks the shape from dimension ndim instead of ndim - 1.
#include <metal_stdlib>
using namespace metal;

inline size_t elem_to_loc(uint elem, constant const int* shape, constant const size_t* strides,
                          int ndim) {
  size_t loc = 0;
  for (int d = ndim; d >= 0; --d) {
    int extent = shape[d];  // BUG: bounds-read
    if (extent <= 0) continue;
    loc += (elem % uint(extent)) * strides[d];  // BUG: bounds-read
    elem /= uint(extent);
  }
  return loc;
}

[[kernel]] void contiguous_copy(device const float* src [[buffer(0)]],
                                device float* dst [[buffer(1)]],
                                constant const int* shape [[buffer(2)]],
                                constant const size_t* strides [[buffer(3)]],
                                constant const int& ndim [[buffer(4)]],
                                uint index [[thread_position_in_grid]]) {
  size_t at = elem_to_loc(index, shape, strides, ndim);
  if (at < 24) dst[index] = src[at];
}
