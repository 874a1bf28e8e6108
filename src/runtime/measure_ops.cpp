// See measure_ops.h. Everything is the best of runs in turns: what the machine does when it does
// nothing else.
#include "runtime/measure_ops.h"

#include <assay/assay.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "runtime/start.h"

namespace assay::runtime {
namespace {

using Arrays = std::vector<array>;
using Function = std::function<Arrays(const Arrays&)>;
using Unary = array (*)(const array&);

constexpr double kNanoseconds = 1e9;
// Computing takes longer than their traffic, and a run is short: on a busy machine some are not
// disturbed.
constexpr int kCostElements = 1 << 18;

struct NamedOp {
  const char* name;
  Unary op;
};

// The ops whose floating-point results take more than an instruction or two. Others are as cheap as
// a product. The second operand of binary ones is a constant.
std::vector<NamedOp> costly_ops() {
  // NOLINTBEGIN(bugprone-macro-parentheses): names of functions
  enum class Rule : uint8_t { kSame, kFloat, kReal, kPredicate, kBoolean, kInteger };
  std::vector<NamedOp> ops;
#define ASSAY_UNARY(name, rule, floating, integral, complex) \
  if (Rule::rule == Rule::kFloat) ops.push_back({#name, [](const array& x) { return name(x); }});
#include "assay/elementwise.def"
  // NOLINTEND(bugprone-macro-parentheses)
  ops.push_back({"divide", [](const array& x) { return array(0.7F) / x; }});
  ops.push_back({"remainder", [](const array& x) { return remainder(x, array(0.3F)); }});
  ops.push_back({"power", [](const array& x) { return power(x, array(1.3F)); }});
  ops.push_back({"logaddexp", [](const array& x) { return logaddexp(x, array(0.4F)); }});
  ops.push_back({"arctan2", [](const array& x) { return arctan2(x, array(0.6F)); }});
  ops.push_back({"multiply", [](const array& x) { return x * array(1.7F); }});
  return ops;
}

// Seconds of each, the best of `runs` in turns.
std::vector<double> best_seconds(const std::vector<Function>& functions, const Arrays& inputs,
                                 int runs) {
  using Clock = std::chrono::steady_clock;
  for (const Function& function : functions) eval(function(inputs));  // compiles it
  std::vector<double> best(functions.size(), 1e9);
  for (int run = 0; run < runs; ++run) {
    for (size_t i = 0; i < functions.size(); ++i) {
      const auto start = Clock::now();
      eval(functions[i](inputs));
      best[i] = std::min(best[i], std::chrono::duration<double>(Clock::now() - start).count());
    }
  }
  return best;
}

Arrays make_inputs(int elements) {
  // Inside of every function's domain, with room to the edges.
  Arrays inputs = {random::uniform(array(0.1F), array(0.9F), Shape{elements})};
  eval(inputs);
  return inputs;
}

// Behind another function in the same kernel: what the op adds is what it costs there. And alone.
void measure_costs(std::vector<OpMeasurement>& measurements) {
  constexpr int kRuns = 100;
  const std::vector<NamedOp> ops = costly_ops();
  std::vector<Function> functions = {
      compile([](const Arrays& in) { return Arrays{sin(sin(in[0]))}; })};
  for (const NamedOp& each : ops) {
    functions.push_back(
        compile([op = each.op](const Arrays& in) { return Arrays{op(sin(in[0]))}; }));
  }
  for (const NamedOp& each : ops) {
    functions.push_back([op = each.op](const Arrays& in) { return Arrays{op(in[0])}; });
  }
  const std::vector<double> seconds = best_seconds(functions, make_inputs(kCostElements), kRuns);
  constexpr double kLeast_ns = 0.001;  // a measurement is never zero
  for (size_t i = 0; i < ops.size(); ++i) {
    const double cost_ns = (seconds[i + 1] - seconds[0] / 2) * kNanoseconds / kCostElements;
    const double time_ns = seconds[i + 1 + ops.size()] * kNanoseconds / kCostElements;
    measurements.push_back(
        {fmt::format("cost_of_{}", ops[i].name), std::max(cost_ns, kLeast_ns), "ns/element"});
    measurements.push_back({fmt::format("time_of_{}", ops[i].name), time_ns, "ns/element"});
  }
}

// To another array, and onto the array itself, as the later ops of a chain do.
void measure_copies(std::vector<OpMeasurement>& measurements) {
  constexpr int kInPlace = 3;
  const Function copy = [](const Arrays& in) { return Arrays{abs(in[0])}; };
  const Function copies = [](const Arrays& in) {
    array x = abs(in[0]);
    for (int i = 0; i < kInPlace; ++i) x = abs(x);
    return Arrays{x};
  };
  for (const int elements : {1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24}) {
    const int runs = std::clamp((1 << 26) / elements, 9, 200);
    const std::vector<double> seconds = best_seconds({copy, copies}, make_inputs(elements), runs);
    const double bytes = 2.0 * elements * sizeof(float);
    // Noise may make the difference as small as nothing; a copy onto itself is no slower.
    const double in_place_s =
        std::clamp((seconds[1] - seconds[0]) / kInPlace, seconds[0] / 4, seconds[0]);
    measurements.push_back(
        {fmt::format("copy_bandwidth_{:.0f}", bytes), bytes / seconds[0], "bytes/s"});
    measurements.push_back(
        {fmt::format("in_place_bandwidth_{:.0f}", bytes), bytes / in_place_s, "bytes/s"});
  }
}

// A fused kernel that computes for long, on arrays that a cache holds and on those that none does:
// the difference is the part of their traffic that computing does not hide.
void measure_exposed_traffic(std::vector<OpMeasurement>& measurements) {
  constexpr int kLarge = 1 << 24, kRuns = 25;
  const Function long_chain =
      compile([](const Arrays& in) { return Arrays{sin(exp(sin(sqrt(in[0]))))}; });
  const Function copy = [](const Arrays& in) { return Arrays{abs(in[0])}; };
  const double cached_s = best_seconds({long_chain}, make_inputs(kCostElements), 4 * kRuns)[0];
  const std::vector<double> large_s =
      best_seconds({long_chain, copy}, make_inputs(kLarge), kRuns / 2);
  const double computing_s = cached_s * kLarge / kCostElements;
  measurements.push_back({"exposed_traffic",
                          std::clamp((large_s[0] - computing_s) / large_s[1], 0.001, 1.0),
                          "share"});
}

void measure_evaluations(std::vector<OpMeasurement>& measurements) {
  constexpr int kFewElements = 256, kRuns = 501;
  const std::vector<double> seconds = best_seconds(
      {[](const Arrays& in) { return Arrays{abs(in[0])}; },
       compile([](const Arrays& in) { return Arrays{abs(in[0] * array(1.7F) - in[0])}; })},
      make_inputs(kFewElements), kRuns);
  measurements.push_back({"evaluation_of_one", seconds[0] * kNanoseconds, "ns"});
  measurements.push_back({"evaluation_of_fused", seconds[1] * kNanoseconds, "ns"});
}

}  // namespace

Result<std::vector<OpMeasurement>> measure_ops() {
  start();
  try {
    std::vector<OpMeasurement> measurements;
    measure_evaluations(measurements);
    measure_copies(measurements);
    measure_costs(measurements);
    measure_exposed_traffic(measurements);
    return measurements;
  } catch (const std::exception& error) {
    return Error{error.what()};
  }
}

}  // namespace assay::runtime
