#include <metal_stdlib>
using namespace metal;
template <typename T>
struct accumulator;
template <>
struct accumulator<float> {
  typedef float type;
};
template <typename T>
[[kernel]] void k(device T* out, uint i [[thread_position_in_grid]]) {
  typename accumulator<T>::type sum = 0;
  out[i] = sum;
}
template [[host_name("k_half")]] [[kernel]] decltype(k<half>) k<half>;
