// See build_options.h.
#include "pipeline/build_options.h"

namespace assay::pipeline {

codegen::BuildOptions build_options(const base::Settings& settings) {
  codegen::BuildOptions options;
  options.executor =
      settings.is_vector_executor ? kernel::Executor::kVector : kernel::Executor::kReference;
  options.cpu = settings.cpu;
  options.checked = !settings.checks.empty();
  if (settings.is_debug && !options.checked) {
    options.debug = true;
    options.executor = kernel::Executor::kReference;
    options.optimisation = 0;
  }
  return options;
}

msl::DebugInfo needed_debug_info(const codegen::BuildOptions& options) {
  if (options.debug) return msl::DebugInfo::kFull;
  return options.checked ? msl::DebugInfo::kLines : msl::DebugInfo::kNone;
}

}  // namespace assay::pipeline
