// The MSL of a kernel, as the trace has it.
#pragma once

#include <string>
#include <vector>

#include "trace/document.h"

namespace assay::analysis {

struct KernelSource {
  std::string file;     // name of the source
  std::string options;  // JSON: what it was compiled with
  std::string text;
};

// Different sources under one name each come once. The error says which kernels there are, or why
// the source is missing.
Result<std::vector<KernelSource>> load_kernel_sources(const trace::Document& document,
                                                      const std::string& kernel);

}  // namespace assay::analysis
