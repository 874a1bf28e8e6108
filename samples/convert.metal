// Conversions to the 16-bit floating-point types: one template, one kernel per type.
#include <metal_stdlib>
using namespace metal;

template <typename From, typename To>
[[kernel]] void convert(device const From* from [[buffer(0)]],
                        device To* to [[buffer(1)]],
                        uint index [[thread_position_in_grid]]) {
  to[index] = static_cast<To>(from[index]);
}

template [[host_name("float_to_half")]] [[kernel]] decltype(convert<float, half>)
    convert<float, half>;
template [[host_name("float_to_bfloat")]] [[kernel]] decltype(convert<float, bfloat>)
    convert<float, bfloat>;
template [[host_name("bfloat_to_float")]] [[kernel]] decltype(convert<bfloat, float>)
    convert<bfloat, float>;
