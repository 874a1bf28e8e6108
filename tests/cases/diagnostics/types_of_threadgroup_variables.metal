#include <metal_stdlib>
using namespace metal;
struct State { int count; };
kernel void k(device int* out, uint i [[thread_position_in_grid]]) {
  threadgroup int tile[4];
  threadgroup State state;
  threadgroup struct { int a; } unnamed;
  tile = 3;
  out[i] = state;
  out[i] = unnamed;
}
