// The MSL sources in kernels/, embedded in the program.
#pragma once

#include <span>
#include <string_view>

#include "base/embedded_file.h"

namespace assay::ops {

std::span<const base::EmbeddedFile> kernel_files();
// Text of kernels/<name>.metal, which must exist.
std::string_view kernel_text(std::string_view name);

}  // namespace assay::ops
