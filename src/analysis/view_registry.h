// All views, by name.
#pragma once

#include <span>
#include <string_view>

#include "analysis/view.h"

namespace assay::analysis {

std::span<const View> views();
// Null where there is none of that name.
const View* find_view(std::string_view name);

}  // namespace assay::analysis
