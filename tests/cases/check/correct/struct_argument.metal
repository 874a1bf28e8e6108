// Parameters in a struct, arrays of several types.
#include <metal_stdlib>
using namespace metal;

struct RopeArgs {
  uint heads;
  uint dim;
  float base;
};

kernel void rope(device const half* x [[buffer(0)]],
                 device half* y [[buffer(1)]],
                 constant RopeArgs& args [[buffer(2)]],
                 uint3 p [[thread_position_in_grid]]) {
  uint half_dim = args.dim / 2;
  float theta = float(p.z) * pow(args.base, -float(2 * p.x) / float(args.dim));
  uint at = (p.z * args.heads + p.y) * args.dim + p.x;
  float a = float(x[at]);
  float b = float(x[at + half_dim]);
  y[at] = half(a * cos(theta) - b * sin(theta));
  y[at + half_dim] = half(a * sin(theta) + b * cos(theta));
}
