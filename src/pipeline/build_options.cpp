// See build_options.h.
#include "pipeline/build_options.h"

namespace assay::pipeline {

codegen::BuildOptions build_options(const base::Settings& settings) {
  codegen::BuildOptions options;
  options.executor =
      settings.is_vector_executor ? kernel::Executor::kVector : kernel::Executor::kReference;
  options.cpu = settings.cpu;
  options.checked = !settings.checks.empty();
  return options;
}

}  // namespace assay::pipeline
