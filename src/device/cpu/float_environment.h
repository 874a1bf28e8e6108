// Kernels run with IEEE rounding and subnormals whatever the host thread has set.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace assay::device::cpu {

// Sets the default floating-point modes and puts the thread's own back at the end of the scope.
class FloatEnvironment {
 public:
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;
#if defined(__x86_64__)
  FloatEnvironment() : saved_(_mm_getcsr()) { _mm_setcsr(kDefaultControl); }
  ~FloatEnvironment() { _mm_setcsr(saved_); }

 private:
  // Round to nearest, all exceptions masked, no flushing of subnormals.
  static constexpr uint32_t kDefaultControl = 0x1F80;
  const uint32_t saved_;
#else
  FloatEnvironment() {}
#endif
};

}  // namespace assay::device::cpu
