// Measures the error of float functions, in units in the last place, against MPFR. Knows nothing
// of how a function is computed: natively from our headers, or by a compiled kernel.
#pragma once

#include <mpfr.h>

#include <cstdint>
#include <functional>
#include <span>

namespace assay::msl::math_ulp {

// Computes out[i] = f(a[i], b[i]) for all i; functions of one argument ignore b. The spans have
// equal sizes.
using Function =
    std::function<void(std::span<const float> a, std::span<const float> b, std::span<float> out)>;

// The mathematical value of f(a, b), to the precision of `out` or better than 2^-60 relative.
using ExactFunction = void (*)(mpfr_ptr out, float a, float b);

struct Reference {
  ExactFunction exact = nullptr;
  // Double-precision stand-in that spares most MPFR calls in exhaustive runs; may be null.
  double (*approximate)(double) = nullptr;
  // Whether a zero result may have either sign.
  bool zero_sign_is_free = false;
};

struct Sample {
  float a = 0;
  float b = 0;
  float result = 0;
  double exact = 0;
};

struct Measurement {
  std::uint64_t samples = 0;   // compared by ulps
  std::uint64_t failures = 0;  // wrong NaN, infinity or sign of zero
  double max_ulp = 0;
  double mean_ulp = 0;
  double max_absolute = 0;
  Sample worst;
  Sample first_failure;
};

// Accumulates comparisons of one function; not thread-safe.
class Meter {
 public:
  // With `normal_results_only`, samples whose exact value is subnormal are left out.
  Meter(const Reference& reference, bool normal_results_only);
  ~Meter();
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;

  void add(std::span<const float> a, std::span<const float> b, std::span<const float> results);
  // As add, but uses the approximate reference where that cannot change maximum or failures.
  void add_quickly(std::span<const float> a, std::span<const float> results);
  Measurement result() const;

 private:
  void add_one(float a, float b, float result);
  void count_ulp(double ulp, double absolute, const Sample& sample);
  void count_failure(const Sample& sample);

  Reference reference_;
  bool normal_results_only_;
  mpfr_t exact_;
  mpfr_t difference_;
  double ulp_sum_ = 0;
  Measurement measured_;
};

// Runs `function` on the samples in blocks and measures it. a and b have equal sizes.
Measurement measure(const Function& function, const Reference& reference, std::span<const float> a,
                    std::span<const float> b, bool normal_results_only);

// Measures a function of one argument on every float in [low, high], NaNs included when the range
// is the whole line. Takes minutes.
Measurement measure_all_floats(const Function& function, const Reference& reference, float low,
                               float high, bool normal_results_only);

}  // namespace assay::msl::math_ulp
