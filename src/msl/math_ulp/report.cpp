// Formats measurements.
#include "msl/math_ulp/report.h"

#include <fmt/format.h>

#include <cmath>

namespace assay::msl::math_ulp {
namespace {

std::string arguments(const Case& measured_case, const Sample& sample) {
  return measured_case.pairing == Pairing::kOneArgument
             ? fmt::format("{:.9g}", sample.a)
             : fmt::format("{:.9g}, {:.9g}", sample.a, sample.b);
}

std::string range(const Case& measured_case) {
  if (std::isinf(measured_case.low) && std::isinf(measured_case.high)) {
    return "all";
  }
  return fmt::format("{:.6g} … {:.6g}", measured_case.low, measured_case.high);
}

std::string failures(const Case& measured_case, const Measurement& measurement) {
  if (measurement.failures == 0) {
    return "0";
  }
  const Sample& first = measurement.first_failure;
  return fmt::format("{}: ({}) gave {}, not {}", measurement.failures,
                     arguments(measured_case, first), first.result, first.exact);
}

}  // namespace

std::string table_header() {
  return "| function | variant | range | max ulp | at | mean ulp | max absolute | wrong kind |\n"
         "|---|---|---|--:|---|--:|--:|--:|\n";
}

std::string table_row(const Case& measured_case, const Measurement& measurement) {
  std::string at = measurement.max_ulp == 0 ? "" : arguments(measured_case, measurement.worst);
  return fmt::format("| {} | {} | {} | {:.3f} | {} | {:.3f} | {:.2g} | {} |\n", measured_case.name,
                     measured_case.variant, range(measured_case), measurement.max_ulp, at,
                     measurement.mean_ulp, measurement.max_absolute,
                     failures(measured_case, measurement));
}

}  // namespace assay::msl::math_ulp
