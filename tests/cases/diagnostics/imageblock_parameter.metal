#include <metal_stdlib>
using namespace metal;
struct Pixel {
  half4 colour [[color(0)]];
};
kernel void k(imageblock<Pixel, imageblock_layout_explicit> block,
              ushort2 i [[thread_position_in_threadgroup]]) {}
