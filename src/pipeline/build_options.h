// The user's settings as options of a build.
#pragma once

#include "base/settings.h"
#include "codegen/build_kernel.h"

namespace assay::pipeline {

// ASSAY_EXECUTOR and ASSAY_CPU.
codegen::BuildOptions build_options(const base::Settings& settings);

}  // namespace assay::pipeline
