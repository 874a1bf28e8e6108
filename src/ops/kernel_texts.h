// The MSL sources in kernels/, embedded in the program.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "assay/dtype.h"
#include "base/embedded_file.h"

namespace assay::ops {

std::span<const base::EmbeddedFile> kernel_files();
// Text of kernels/<name>.metal, which must exist.
std::string_view kernel_text(std::string_view name);
// The start of a source: Metal's library, and what values of these types need beyond it.
std::string write_prelude(std::initializer_list<Dtype> types);

}  // namespace assay::ops
