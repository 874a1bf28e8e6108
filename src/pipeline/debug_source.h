// Gives sources that exist only in memory a file that debuggers can show.
#pragma once

#include <string>

#include "msl/compile.h"

namespace assay::pipeline {

// The folder inside the cache's that such files are in.
inline constexpr const char* kDebugSourceFolder = "sources";

// The source as it is where its name is that of a file. Otherwise it is written to one below
// `cache_folder`, whose name begins with the source's, and its lines are those of that file: #line
// directives are left out. When nothing can be written, debuggers show lines without text.
msl::Source make_debug_source(msl::Source source, const std::string& cache_folder);

}  // namespace assay::pipeline
