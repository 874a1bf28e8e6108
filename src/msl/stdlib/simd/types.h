// Part of the standard library.
#include <metal_stdlib>
