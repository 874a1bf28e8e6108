#include <metal_stdlib>
using namespace metal;

kernel void make_floats(device float* x [[buffer(0)]]) { x[0] = 1; }
kernel void make_words(device ulong* x [[buffer(0)]]) { x[0] = 1; }
kernel void make_bytes(device uchar* x [[buffer(0)]]) { x[0] = 1; }

constant bool has_second [[function_constant(0)]];
kernel void optional_second(device float* first [[buffer(0)]],
                            device const float* second [[buffer(1), function_constant(has_second)]],
                            threadgroup float* scratch [[threadgroup(0)]]) {
  scratch[0] = 1;
  first[0] = has_second ? second[0] : scratch[0];
}
