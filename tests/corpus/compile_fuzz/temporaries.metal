#include <metal_stdlib>
using namespace metal;
template <typename T> struct dual { T v, d; };
template <typename T> dual<T> operator-(const thread dual<T>& a) { return {-a.v, -a.d}; }
template <typename A, typename B> dual<A> operator/(const thread dual<A>& a, const thread dual<B>& b) { return {a.v / b.v, a.d}; }
template <typename T> dual<T> chain(const thread dual<T>& a, const thread T& f) { return {f, a.d}; }
typedef float event_t;
dual<float> to_local(float x) { return {x, 1}; }
kernel void k(device float* out, texture2d<float> image [[texture(0)]], sampler s) {
  event_t e = chain(-to_local(2) / to_local(3), 0.5f * out[0]).v;
  out[0] = e + image.sample(s, float2(0), level(1)).x;
}
