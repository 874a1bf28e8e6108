// What is measured: each math function with its exact reference, the range where it promises
// something, and the error it promises there.
#pragma once

#include <string>
#include <vector>

#include "msl/math_ulp/measure.h"
#include "msl/math_ulp/samples.h"

namespace assay::msl::math_ulp {

// `variant` is the namespace inside metal:: that holds the function, or "detail" for our own one,
// __assay, with functions that MSL does not have. A name such as "modf.whole" means the result by
// reference of modf.
struct Case {
  std::string variant;
  std::string name;
  Reference reference;
  Pairing pairing = Pairing::kOneArgument;
  double bound_ulp = 2;
  // Measured range of the first argument.
  float low = 0;
  float high = 0;
  bool normal_results_only = false;
};

// Rows in the order of the documentation: precise, fast, detail. Functions of three operands are
// measured with a third one that depends on the others; see third_operand.
std::vector<Case> all_cases();

// fma gets -(a b), so that its result is the rounding error; the others a value between a and b.
float third_operand(const std::string& name, float a, float b);

}  // namespace assay::msl::math_ulp
