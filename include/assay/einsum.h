// How an Einstein summation is worked out; einsum() itself is in ops.h.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/array.h"

namespace assay {

// The steps of einsum(): positions of the operands that each one takes out of the list, whose
// product is put at its end. The text says what they cost.
ASSAY_API std::pair<std::vector<std::vector<int>>, std::string> einsum_path(
    const std::string& subscripts, const std::vector<array>& operands);

}  // namespace assay
