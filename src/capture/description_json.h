// Kernels and matrix products as the JSON texts of a trace document.
#pragma once

#include <string>

#include "kernel/kernel_info.h"
#include "kernel/kernel_origin.h"
#include "kernel/matrix_product.h"

namespace assay::capture {

// math_mode, allows_double, defines, include_folders, constants (bytes as hexadecimal digits).
std::string options_json(const kernel::KernelOrigin& origin);
// arguments, threadgroup_bytes, max_threads.
std::string reflection_json(const kernel::KernelInfo& info);
std::string product_json(const kernel::MatrixProduct& product);

}  // namespace assay::capture
