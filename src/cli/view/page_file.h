// A page with its traces inside: one file that needs nobody.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/view/trace_shelf.h"

namespace assay::cli {

using WritePiece = std::function<Result<void>(std::string_view)>;

// Every piece of every trace goes in, compressed; of contents those that are small.
Result<void> write_page(const TraceShelf& shelf, const WritePiece& write);

}  // namespace assay::cli
