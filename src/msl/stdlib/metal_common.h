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

#define ASSAY_COMMON_FUNCTIONS        \
  ASSAY_FUNCTION_3(float_t, mix)      \
  ASSAY_FUNCTION_1(float_t, saturate) \
  ASSAY_FUNCTION_1(float_t, sign)     \
  ASSAY_FUNCTION_2(float_t, step)     \
  ASSAY_FUNCTION_3(float_t, smoothstep)

ASSAY_COMMON_FUNCTIONS
namespace fast {
ASSAY_COMMON_FUNCTIONS
}
namespace precise {
ASSAY_COMMON_FUNCTIONS
}
#undef ASSAY_COMMON_FUNCTIONS

}  // namespace metal
