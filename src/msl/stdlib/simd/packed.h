// Part of the standard library.
#include <simd/types.h>
