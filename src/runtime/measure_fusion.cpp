// See measure_fusion.h.
#include "runtime/measure_fusion.h"

#include <assay/assay.h>

#include <algorithm>
#include <chrono>

#include "runtime/start.h"

namespace assay::runtime {
namespace {

constexpr int kElements = 1 << 23;  // 32 MiB: no cache holds an array
constexpr int kRuns = 9;

using Arrays = std::vector<array>;
using Chain = Arrays (*)(const Arrays&);

// Four steps each, for which memory is the limit, and for which computing is.
Arrays cheap_chain(const Arrays& in) { return {abs(square(in[0] * array(0.5F)) + array(1.0F))}; }
Arrays costly_chain(const Arrays& in) { return {tanh(exp(sin(sqrt(in[0]))))}; }
// Arrays that are written and read back between the steps.
constexpr double kSavedBytes = 2.0 * 3 * kElements * sizeof(float);

double best_seconds(const std::function<Arrays(const Arrays&)>& function, const Arrays& inputs) {
  using Clock = std::chrono::steady_clock;
  double best_s = 1e9;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = Clock::now();
    eval(function(inputs));
    best_s = std::min(best_s, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best_s;
}

double measure(Chain chain, const Arrays& inputs, double bandwidth) {
  const double saved_s = best_seconds(chain, inputs) - best_seconds(compile(chain), inputs);
  constexpr double kLeast = 0.15, kMost = 1.5;  // beyond that something else was measured
  return std::clamp(saved_s / (kSavedBytes / bandwidth), kLeast, kMost);
}

}  // namespace

Result<FusionShares> measure_fusion(double bandwidth) {
  start();
  try {
    const Arrays inputs = {random::uniform(Shape{kElements})};
    eval(inputs);
    return FusionShares{measure(cheap_chain, inputs, bandwidth),
                        measure(costly_chain, inputs, bandwidth)};
  } catch (const std::exception& error) {
    return Error{error.what()};
  }
}

}  // namespace assay::runtime
