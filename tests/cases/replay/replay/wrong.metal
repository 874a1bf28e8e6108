// The kernel of program.py with a mistake in every 23rd element.
#include <metal_stdlib>
using namespace metal;

[[kernel]] void custom_kernel_scale_float_float(const device float* x [[buffer(0)]],
                                                device float* y [[buffer(1)]],
                                                uint i [[thread_position_in_grid]]) {
  y[i] = i % 23 == 22 ? 3.1f * x[i] : 3 * x[i];
}
