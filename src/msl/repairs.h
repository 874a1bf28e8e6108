// What one run over a source has found that clang refuses and Metal takes: the next run writes it
// differently.
#pragma once

#include <vector>

#include "msl/half_casts.h"
#include "msl/thread_operands.h"

namespace assay::msl {

struct Repairs {
  std::vector<HalfCast> half_casts;
  std::vector<ThreadOperand> thread_operands;
  std::vector<size_t> bound_temporaries;  // the '&' of references that become values

  size_t count() const {
    return half_casts.size() + thread_operands.size() + bound_temporaries.size();
  }
};

}  // namespace assay::msl
