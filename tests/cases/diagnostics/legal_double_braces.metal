#include <metal_stdlib>
using namespace metal;
struct Pair {
  int v[2];
  int first() { return v[0]; }
};
struct Outer {
  Pair pair;
};
kernel void k(device int* x, uint i [[thread_position_in_grid]]) {
  Outer o = {{x[i], 1}}; x[i] = o.peer;
  x[i] = Pair{{1, 2}}.last() + Pair{{missing, 2}}.first();
}
