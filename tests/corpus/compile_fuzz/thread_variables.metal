#include <metal_stdlib>
using namespace metal;
[[thread_position_in_grid]] static uint2 place;
uint lane [[thread_index_in_simdgroup]], index [[thread_index_in_threadgroup]];
namespace facts { const ushort3 group [[threadgroup_position_in_grid]]; }
template <typename T> T column(T x) { return T(place.x) + x; }
uint row(uint n) { return n == 0 ? place.y : row(n - 1) + lane; }
kernel void a(device uint* out) { out[index] = column(2u) + row(1) + facts::group.z; }
kernel void b(device uint* out, uint lane [[thread_position_in_grid]]) { out[lane] = place.y; }
