// How element types look in MSL, and which arithmetic they use there.
#pragma once

#include <string_view>

#include "assay/dtype.h"

namespace assay {

// "float", "bfloat", "complex64_t".
std::string_view msl_type(Dtype dtype);
// An integer of the same size, for kernels that only move bits.
std::string_view bits_type(Dtype dtype);
// Short names for keys and kernel names: "f32".
std::string_view short_name(Dtype dtype);
// 16-bit floating types are computed in float and rounded after each op.
Dtype compute_type(Dtype dtype);
Dtype at_least_float(Dtype dtype);
bool is_complex(Dtype dtype);
bool is_floating_point(Dtype dtype);

}  // namespace assay
