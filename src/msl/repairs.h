// What one run over a source has found that clang refuses and Metal takes: the next run writes it
// differently.
#pragma once

#include <vector>

#include "msl/braced_temporaries.h"
#include "msl/function_parameters.h"
#include "msl/half_casts.h"
#include "msl/left_out.h"
#include "msl/mixed_halves.h"
#include "msl/thread_operands.h"

namespace assay::msl {

struct Repairs {
  std::vector<HalfCast> half_casts;
  std::vector<MixedOperand> mixed_operands;
  std::vector<ThreadOperand> thread_operands;
  std::vector<size_t> bound_temporaries;  // the '&' of references that become values
  std::vector<BracedTemporary> braced_temporaries;
  std::vector<FunctionParameter> function_parameters;
  std::vector<LeftOutDeclaration> left_out;
  bool needs_all = false;  // what had to be left out leaves no kernel

  size_t count() const {
    return half_casts.size() + mixed_operands.size() + thread_operands.size() +
           bound_temporaries.size() + braced_temporaries.size() + function_parameters.size() +
           left_out.size();
  }
};

}  // namespace assay::msl
