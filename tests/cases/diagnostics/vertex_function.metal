#include <metal_stdlib>
using namespace metal;
struct Out { float4 position [[position]]; };
vertex Out v(uint i [[vertex_id]]) { Out o; o.position = float4(i); return o; }
