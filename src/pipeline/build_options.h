// The user's settings as options of a build.
#pragma once

#include "base/settings.h"
#include "codegen/build_kernel.h"
#include "msl/compile.h"

namespace assay::pipeline {

// ASSAY_EXECUTOR, ASSAY_CPU, ASSAY_CHECK and ASSAY_DEBUG; debugging wants one thread at a time.
codegen::BuildOptions build_options(const base::Settings& settings);

// What libraries must know about their source for such builds.
msl::DebugInfo needed_debug_info(const codegen::BuildOptions& options);

}  // namespace assay::pipeline
