// Byte strides as in ggml, each tensor with its own.
#include <metal_stdlib>
using namespace metal;

struct Strides {
  ulong nb01;
  ulong nb1;
};

kernel void cpy_f32_f16(device const char* src0 [[buffer(0)]],
                        device char* dst [[buffer(1)]],
                        constant int& ne00 [[buffer(2)]],
                        constant Strides& args [[buffer(3)]],
                        uint tgpig [[threadgroup_position_in_grid]],
                        uint tiitg [[thread_index_in_threadgroup]],
                        uint ntg [[threads_per_threadgroup]]) {
  device const float* src = (device const float*)(src0 + tgpig * args.nb01);
  device half* row = (device half*)(dst + tgpig * args.nb1);
  for (int i = tiitg; i < ne00; i += ntg) row[i] = half(src[i]);
}
