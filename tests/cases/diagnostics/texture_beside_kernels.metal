#include <metal_stdlib>
using namespace metal;
constexpr sampler nearest(coord::normalized, filter::nearest);
struct Images { texture2d<half> from; texture2d<half, access::write> to; };
template <typename T> T brightness(texture2d<T> image, uint2 at) { return image.read(at).x; }
namespace filters {
float blurred(texture2d<float> image, float2 at) { return image.sample(nearest, at).x; }
}
kernel void double_values(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }
kernel void blur(texture2d<float> image, device float* out, uint2 at [[thread_position_in_grid]]) {
  out[at.x] = filters::blurred(image, float2(at)) + image.missing_member();
}
[[kernel]] void copy(constant Images& images, uint2 at [[thread_position_in_grid]]) {
  images.to.write(images.from.read(at), at);
}
template <typename T> kernel void histogram(texture2d<T> image, device atomic_uint* counts) {
  atomic_fetch_add_explicit(counts, uint(brightness(image, 0)), memory_order_relaxed);
}
template [[host_name("histogram_half")]] kernel void histogram<half>(texture2d<half>, device atomic_uint*);
template [[host_name("histogram_float")]] kernel void histogram<float>(texture2d<float>, device atomic_uint*);
