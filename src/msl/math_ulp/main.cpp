// math_ulp [--samples N] [--exhaustive] [NAME…]: prints the measured error of the math functions
// in our Metal headers. --exhaustive tries every float for functions of one argument.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "msl/math_ulp/cases.h"
#include "msl/math_ulp/measure.h"
#include "msl/math_ulp/native_functions.h"
#include "msl/math_ulp/report.h"

namespace assay::msl::math_ulp {
namespace {

struct Options {
  std::size_t samples = std::size_t{1} << 20;
  bool exhaustive = false;
  std::vector<std::string> names;  // empty means all
};

// False if the arguments make no sense.
bool parse(int count, char** arguments, Options& options) {
  for (int i = 1; i < count; ++i) {
    std::string argument = arguments[i];
    if (argument == "--exhaustive") {
      options.exhaustive = true;
    } else if (argument == "--samples" && i + 1 < count) {
      options.samples = std::strtoull(arguments[++i], nullptr, 10);
    } else if (argument.starts_with("-")) {
      return false;
    } else {
      options.names.push_back(argument);
    }
  }
  return options.samples > 0;
}

Measurement run(const Case& measured_case, const Options& options) {
  Function function = find_native_function(measured_case.variant, measured_case.name);
  if (options.exhaustive && measured_case.pairing == Pairing::kOneArgument) {
    return measure_all_floats(function, measured_case.reference, measured_case.low,
                              measured_case.high, measured_case.normal_results_only);
  }
  Samples samples =
      make_samples(measured_case.pairing, options.samples, measured_case.low, measured_case.high);
  return measure(function, measured_case.reference, samples.a, samples.b,
                 measured_case.normal_results_only);
}

int print_table(const Options& options) {
  int broken = 0;
  fmt::print("{}", table_header());
  for (const Case& measured_case : all_cases()) {
    bool wanted = options.names.empty() || std::find(options.names.begin(), options.names.end(),
                                                     measured_case.name) != options.names.end();
    if (!wanted) {
      continue;
    }
    Measurement measurement = run(measured_case, options);
    bool kept = measurement.failures == 0 && measurement.max_ulp <= measured_case.bound_ulp;
    broken += kept ? 0 : 1;
    fmt::print("{}", table_row(measured_case, measurement));
    std::fflush(stdout);
  }
  return broken;
}

}  // namespace
}  // namespace assay::msl::math_ulp

int main(int count, char** arguments) {
  assay::msl::math_ulp::Options options;
  if (!assay::msl::math_ulp::parse(count, arguments, options)) {
    fmt::print(stderr, "usage: math_ulp [--samples N] [--exhaustive] [NAME...]\n");
    return 2;
  }
  int broken = assay::msl::math_ulp::print_table(options);
  if (broken != 0) {
    fmt::print(stderr, "{} functions exceed their bound\n", broken);
  }
  return broken == 0 ? 0 : 1;
}
