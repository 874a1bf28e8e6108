#include <metal_stdlib>
using namespace metal;
struct Pair {{
  int v[2];
}};
enum Kind {{ kFirst }};
kernel void k(device float* o, uint i [[thread_position_in_grid]]) {{
  o[i] = kFirst;
}}
