// Baselines as files; see baseline.h.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/baseline/baseline.h"

namespace assay::analysis {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "assay baseline 1";

Json time_json(const TimeSummary& time) {
  return {{"median_ns", time.median}, {"noise_ns", time.noise}, {"count", time.count}};
}

// Reads fields and remembers whether any was not as it should be.
class Reader {
 public:
  double number(const Json& object, const char* name) {
    const auto field = object.is_object() ? object.find(name) : object.end();
    const bool is_good = object.is_object() && field != object.end() && field->is_number();
    const double value = is_good ? field->get<double>() : 0;
    is_good_ = is_good_ && is_good && std::isfinite(value) && value >= 0 && value < 1e18;
    return value;
  }
  int64_t count(const Json& object, const char* name) {
    const double value = number(object, name);
    return is_good_ ? static_cast<int64_t>(value) : 0;
  }
  TimeSummary time(const Json& object, const char* name) {
    const Json none;
    const auto field = object.is_object() ? object.find(name) : object.end();
    const Json& times = object.is_object() && field != object.end() ? *field : none;
    TimeSummary summary;
    summary.median = number(times, "median_ns");
    summary.noise = number(times, "noise_ns");
    summary.count = count(times, "count");
    return summary;
  }
  bool is_good() const { return is_good_; }

 private:
  bool is_good_ = true;
};

}  // namespace

std::string baseline_text(const Baseline& baseline) {
  Json kernels = Json::object();
  for (const auto& [name, kernel] : baseline.kernels) {
    kernels[name] = {{"dispatches", kernel.dispatches}, {"time", time_json(kernel.time)}};
  }
  const Json json = {{"format", kFormat},
                     {"device", baseline.device},
                     {"runs", baseline.runs},
                     {"evaluations", baseline.evaluations},
                     {"step", time_json(baseline.step)},
                     {"kernels", std::move(kernels)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Baseline> parse_baseline(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("format", Json()) != kFormat) {
    return Error{"it is no baseline; make one with assay baseline save"};
  }
  Reader reader;
  Baseline baseline;
  baseline.runs = reader.count(json, "runs");
  baseline.evaluations = reader.count(json, "evaluations");
  if (const auto device = json.find("device"); device != json.end() && device->is_string()) {
    baseline.device = device->get<std::string>();
  }
  baseline.step = reader.time(json, "step");
  const auto kernels = json.find("kernels");
  if (kernels == json.end() || !kernels->is_object()) return Error{"it has no kernels"};
  for (const auto& [name, kernel] : kernels->items()) {
    baseline.kernels[name] = {reader.count(kernel, "dispatches"), reader.time(kernel, "time")};
  }
  if (!reader.is_good()) return Error{"a number is missing or makes no sense"};
  return baseline;
}

}  // namespace assay::analysis
