// The report as SARIF 2.1.0, which code hosts and editors show beside the source.
#pragma once

#include <string>

#include "sanitizer/report/check_report.h"

namespace assay::sanitizer {

struct SarifOptions {
  // Absolute path of the folder that paths are told against. Files elsewhere keep whole paths.
  std::string root;
};

std::string sarif_report(const CheckReport& report, const SarifOptions& options);

}  // namespace assay::sanitizer
