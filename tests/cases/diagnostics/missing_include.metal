#include <metal_stdlib>
using namespace metal;
#include "nowhere.h"
kernel void k(device float* out) { out[0] = 1; }
