// Common functions of MSL: interpolation, steps, sign, saturation.
#pragma once

#include "metal_math.h"

namespace metal {
namespace __assay {

struct mix_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x, T y, T a) {
    return x + (y - x) * a;
  }
};
struct saturate_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x) {
    return clamp_op::call(x, T(0.0f), T(1.0f));
  }
};
struct sign_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x) {
    return x > T(0.0f) ? T(1.0f) : x < T(0.0f) ? T(-1.0f) : x == T(0.0f) ? x : T(0.0f);
  }
};
struct step_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T edge, T x) {
    return x < edge ? T(0.0f) : T(1.0f);
  }
};
struct smoothstep_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T low, T high, T x) {
    T t = saturate_op::call(T((x - low) / (high - low)));
    return t * t * (T(3.0f) - T(2.0f) * t);
  }
};

}  // namespace __assay

#define ASSAY_COMMON_FUNCTION(n, name) \
  ASSAY_FUNCTION_##n(float_t, name)    \
  ASSAY_FOR_FLOATS(ASSAY_PLAIN_##n, name)
#define ASSAY_COMMON_FUNCTIONS       \
  ASSAY_COMMON_FUNCTION(3, mix)      \
  ASSAY_COMMON_FUNCTION(1, saturate) \
  ASSAY_COMMON_FUNCTION(1, sign)     \
  ASSAY_COMMON_FUNCTION(2, step)     \
  ASSAY_COMMON_FUNCTION(3, smoothstep)

ASSAY_COMMON_FUNCTIONS
namespace fast {
ASSAY_COMMON_FUNCTIONS
}
namespace precise {
ASSAY_COMMON_FUNCTIONS
}
#undef ASSAY_COMMON_FUNCTIONS
#undef ASSAY_COMMON_FUNCTION

}  // namespace metal
