#include <metal_stdlib>
kernel int wrong(float* x, texture2d<float> t [[texture(0)]]) { return y; }
kernel void no_slot(threadgroup int& a [[threadgroup(40)]], uint b) { undeclared(a)
template <int N> struct S { threadgroup float x[N]; };
#define LOOP LOOP LOOP
LOOP
#include "missing.h"
