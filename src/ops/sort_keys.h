// The order of elements, as text in front of the kernels that sort and search.
#pragma once

#include <string>

#include "assay/dtype.h"

namespace assay {

// Keys of 64-bit elements take two words.
bool has_wide_key(Dtype dtype);
// The type T, the unsigned type Element and the functions element_key() and key_element() between
// them.
std::string write_sort_keys(Dtype dtype, bool signed_zeros);

}  // namespace assay
