// Prints the report of a checked run in the form the user asked for.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/console.h"
#include "sanitizer/report/check_report.h"

namespace assay::cli {

struct CheckOutput {
  std::string format = "text";  // text, json, sarif, junit
  std::string file;             // empty: standard output
  std::optional<sanitizer::Severity> fail_on = sanitizer::Severity::kError;  // nothing: never
  // Standard output belongs to the user's program: text goes to standard error.
  bool is_beside_program = false;
};

Result<void> print_report(const sanitizer::CheckReport& report, const CheckOutput& output,
                          const Console& console);

// Whether a finding is severe enough for exit code 1.
bool has_failed(const sanitizer::CheckReport& report, const CheckOutput& output);

// The rules with their checks and severities.
std::string rules_text(const Console& console);
std::string rules_json();

}  // namespace assay::cli
