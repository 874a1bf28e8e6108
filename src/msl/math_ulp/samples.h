// Arguments to measure functions at: every exponent, random significands, special values.
#pragma once

#include <cstddef>
#include <vector>

namespace assay::msl::math_ulp {

struct Samples {
  std::vector<float> a;
  std::vector<float> b;
};

enum class Pairing {
  kOneArgument,  // b is zero
  kIndependent,  // all special values against each other, then all scales against all
  kPower,        // as kIndependent, plus pairs whose power a^b is an ordinary number
  kExponent,     // b is a whole number between -400 and 400
};

// At least `count` samples with low <= a <= high, the same for equal arguments. NaNs are included
// when the range is the whole line.
Samples make_samples(Pairing pairing, std::size_t count, float low, float high);

}  // namespace assay::msl::math_ulp
