// Everything that one checked run has to tell, as plain data; the forms in which it is told are in
// the files beside this one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sanitizer/finding.h"

namespace assay::sanitizer {

// A kernel that ran under the checks, with or without findings.
struct CheckedKernel {
  std::string name;
  uint64_t dispatches = 0;
};

struct CheckReport {
  std::vector<Finding> findings;                      // in the order of the program
  std::vector<CheckedKernel> kernels;                 // in the order of their first dispatch
  uint64_t suppressed = 0;                            // findings that a suppression silenced
  uint64_t left_out = 0;                              // findings above the limit
  std::vector<std::string> unused_suppressions = {};  // "FILE:3: race-device:blur"
  std::vector<std::string> warnings = {};             // about the check itself

  uint64_t count(Severity severity) const {
    uint64_t count = 0;
    for (const Finding& finding : findings) count += finding.severity == severity ? 1 : 0;
    return count;
  }
  uint64_t dispatches() const {
    uint64_t count = 0;
    for (const CheckedKernel& kernel : kernels) count += kernel.dispatches;
    return count;
  }
};

}  // namespace assay::sanitizer
