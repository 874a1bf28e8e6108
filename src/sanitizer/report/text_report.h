// Findings for people at a terminal, in the way of a compiler.
#pragma once

#include <string>

#include "sanitizer/report/check_report.h"

namespace assay::sanitizer {

struct TextStyle {
  bool is_coloured = false;
};

// "halo.metal:9:15: error: … [race-threadgroup]", the line with its caret, what is known about the
// access, the places that explain it, and how to fix it. Ends in a line end.
std::string finding_text(const Finding& finding, TextStyle style = {});

// All findings and one line at the end that counts them.
std::string text_report(const CheckReport& report, TextStyle style = {});

// That line: "assay check: 2 errors and 1 warning in 12 dispatches of 3 kernels".
std::string summary_text(const CheckReport& report, TextStyle style = {});

}  // namespace assay::sanitizer
