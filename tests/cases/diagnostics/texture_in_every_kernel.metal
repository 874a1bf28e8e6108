#include <metal_stdlib>
using namespace metal;
float first(texture2d<float> image) { return image.read(uint2(0)).x; }
struct Image { texture2d<float> texture; };
kernel void blur(constant Image& image, device float* out) { out[0] = first(image.texture); }
