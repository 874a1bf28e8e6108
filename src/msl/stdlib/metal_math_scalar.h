// Scalar float math of the Metal standard library: metal::precise, metal::fast, metal::__assay.
// Valid both as MSL and as C++17, so that the same text is measured natively (math_ulp).
#pragma once

// The code below relies on the exact rounding of each operation (error-free transformations,
// rounding by adding 1.5 * 2^23), so it keeps IEEE semantics even in a fast-math module.
#if defined(__clang__)
#pragma float_control(push)
#pragma float_control(precise, on)
#pragma clang fp reassociate(off) reciprocal(off) contract(off)
#endif

#include "metal_math_scalar_base.h"
#include "metal_math_scalar_erf.h"
#include "metal_math_scalar_explog.h"
#include "metal_math_scalar_fast.h"
#include "metal_math_scalar_gamma.h"
#include "metal_math_scalar_hyperbolic.h"
#include "metal_math_scalar_inverse_trig.h"
#include "metal_math_scalar_pow.h"
#include "metal_math_scalar_remainder.h"
#include "metal_math_scalar_roots.h"
#include "metal_math_scalar_rounding.h"
#include "metal_math_scalar_trig.h"

#if defined(__clang__)
#pragma float_control(pop)
#endif
