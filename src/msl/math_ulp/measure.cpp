// Comparison of float results with exact values.
#include "msl/math_ulp/measure.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace assay::msl::math_ulp {
namespace {

// Errors are measured in units of 2^-24 relative, so this leaves 72 bits.
constexpr mpfr_prec_t kPrecisionBits = 96;
constexpr double kSmallestSubnormal = 0x1p-149;
// Smallest result that counts where only normal results do; one binade up, because a function may
// flush what would round to the smallest normal number.
constexpr double kSmallestMeasured = 0x1p-125;
// First value that rounds to infinity.
constexpr double kOverflow = 0x1.ffffffp+127;
constexpr std::size_t kBlock = std::size_t{1} << 16;

double ulp_of(double exact) {
  if (std::fabs(exact) < 0x1p-126) {
    return kSmallestSubnormal;
  }
  return std::ldexp(1.0, std::ilogb(exact) - 23);
}

bool same_kind(double exact, float result) {
  bool exact_overflows = std::fabs(exact) >= kOverflow;
  if (std::isnan(exact) || std::isnan(result)) {
    return std::isnan(exact) && std::isnan(result);
  }
  if (exact_overflows || std::isinf(result)) {
    return exact_overflows && std::isinf(result) && std::signbit(exact) == std::signbit(result);
  }
  return true;
}

}  // namespace

Meter::Meter(const Reference& reference, bool normal_results_only)
    : reference_(reference), normal_results_only_(normal_results_only) {
  mpfr_init2(exact_, kPrecisionBits);
  mpfr_init2(difference_, kPrecisionBits);
}

Meter::~Meter() {
  mpfr_clear(exact_);
  mpfr_clear(difference_);
}

void Meter::count_ulp(double ulp, double absolute, const Sample& sample) {
  ++measured_.samples;
  ulp_sum_ += ulp;
  measured_.max_absolute = std::max(measured_.max_absolute, absolute);
  if (ulp > measured_.max_ulp) {
    measured_.max_ulp = ulp;
    measured_.worst = sample;
  }
}

void Meter::count_failure(const Sample& sample) {
  if (measured_.failures++ == 0) {
    measured_.first_failure = sample;
  }
}

void Meter::add_one(float a, float b, float result) {
  reference_.exact(exact_, a, b);
  double exact = mpfr_get_d(exact_, MPFR_RNDN);
  Sample sample{a, b, result, exact};
  if (normal_results_only_ && exact != 0 && std::fabs(exact) < kSmallestMeasured) {
    return;
  }
  if (!same_kind(exact, result)) {
    count_failure(sample);
    return;
  }
  if (std::isnan(result) || std::isinf(result)) {
    return;
  }
  if (mpfr_zero_p(exact_) != 0 && result == 0) {
    if (!reference_.zero_sign_is_free && std::signbit(exact) != std::signbit(result)) {
      count_failure(sample);
      return;
    }
    count_ulp(0, 0, sample);
    return;
  }
  mpfr_sub_d(difference_, exact_, result, MPFR_RNDN);
  double absolute = std::fabs(mpfr_get_d(difference_, MPFR_RNDN));
  count_ulp(absolute / ulp_of(exact), absolute, sample);
}

void Meter::add(std::span<const float> a, std::span<const float> b,
                std::span<const float> results) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    add_one(a[i], b[i], results[i]);
  }
}

void Meter::add_quickly(std::span<const float> a, std::span<const float> results) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (reference_.approximate == nullptr) {
      add_one(a[i], 0, results[i]);
      continue;
    }
    double exact = reference_.approximate(a[i]);
    double absolute = std::fabs(exact - results[i]);
    double ulp = absolute / ulp_of(exact);
    bool left_out = normal_results_only_ && exact != 0 && std::fabs(exact) < kSmallestMeasured;
    bool same_special = !std::isfinite(results[i]) && same_kind(exact, results[i]);
    if (left_out || same_special) {
      continue;
    }
    bool same_zero =
        exact == 0 && results[i] == 0 && std::signbit(exact) == std::signbit(results[i]);
    // The margin is far above the error of a double function, seen in float ulps.
    bool ordinary = exact != 0 && std::fabs(exact) < kOverflow && ulp + 1e-6 < measured_.max_ulp;
    if (same_zero || ordinary) {
      count_ulp(ulp, absolute, {a[i], 0, results[i], exact});
    } else {
      add_one(a[i], 0, results[i]);
    }
  }
}

Measurement Meter::result() const {
  Measurement result = measured_;
  result.mean_ulp = measured_.samples == 0 ? 0 : ulp_sum_ / static_cast<double>(measured_.samples);
  return result;
}

Measurement measure(const Function& function, const Reference& reference, std::span<const float> a,
                    std::span<const float> b, bool normal_results_only) {
  Meter meter(reference, normal_results_only);
  std::vector<float> results(std::min(a.size(), kBlock));
  for (std::size_t start = 0; start < a.size(); start += kBlock) {
    std::size_t count = std::min(kBlock, a.size() - start);
    std::span<float> out(results.data(), count);
    function(a.subspan(start, count), b.subspan(start, count), out);
    meter.add(a.subspan(start, count), b.subspan(start, count), out);
  }
  return meter.result();
}

Measurement measure_all_floats(const Function& function, const Reference& reference, float low,
                               float high, bool normal_results_only) {
  Meter meter(reference, normal_results_only);
  bool whole_line = std::isinf(low) && std::isinf(high);
  std::vector<float> a;
  std::vector<float> results(kBlock);
  const std::vector<float> zeros(kBlock);
  for (std::uint64_t start = 0; start < std::uint64_t{1} << 32; start += kBlock) {
    a.clear();
    for (std::uint64_t bits = start; bits < start + kBlock; ++bits) {
      float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      if ((x >= low && x <= high) || (whole_line && std::isnan(x))) {
        a.push_back(x);
      }
    }
    std::span<float> out(results.data(), a.size());
    function(a, std::span(zeros).first(a.size()), out);
    meter.add_quickly(a, out);
  }
  return meter.result();
}

}  // namespace assay::msl::math_ulp
