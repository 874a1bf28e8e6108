// What the compiler found in a source, as readable tables and as JSON.
#pragma once

#include <string>

#include "cli/console.h"
#include "cli/json_text.h"
#include "kernel/kernel_info.h"
#include "msl/compile.h"

namespace assay::cli {

std::string_view attribute_name(kernel::ThreadAttribute attribute);
std::string_view access_name(kernel::Access access);

// "buffer(2)", "threadgroup(0)" or the name of a thread attribute.
std::string place_text(const kernel::Argument& argument);

// Tables of the kernels and, behind them, of the function constants.
std::string reflection_text(const msl::Library& library, const Console& console);

Json kernel_json(const kernel::KernelInfo& info);
Json constants_json(const msl::Library& library);
Json diagnostics_json(const std::vector<msl::Diagnostic>& diagnostics);

}  // namespace assay::cli
