// See baseline.h: from traces to a summary.
#include "analysis/baseline/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/report/activity.h"

namespace assay::analysis {
namespace {

using Durations = std::vector<double>;

double median_of(Durations values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// How uncertain the median is, from how far the values are from it.
double noise_of(const Durations& values, double median) {
  if (values.size() < 2) return 0;
  Durations distances;
  for (const double value : values) distances.push_back(std::abs(value - median));
  // Of a normal distribution: the deviation from the median one, and the median's error from that.
  constexpr double kDeviation = 1.4826, kMedianError = 1.2533;
  return kDeviation * kMedianError * median_of(distances) /
         std::sqrt(static_cast<double>(values.size()));
}

// Each entry has the times of one run.
TimeSummary summarise(const std::vector<Durations>& runs) {
  TimeSummary summary;
  Durations medians;
  double within = 0;
  for (const Durations& run : runs) {
    if (run.empty()) continue;
    medians.push_back(median_of(run));
    within = std::max(within, noise_of(run, medians.back()));
    summary.count += static_cast<int64_t>(run.size());
  }
  summary.median = median_of(medians);
  // Runs differ more than the dispatches of one: other memory, other neighbours on the machine.
  const auto [least, most] = std::ranges::minmax_element(medians);
  const double between = medians.empty() ? 0 : (*most - *least) / 2;
  summary.noise = std::max(within, between);
  return summary;
}

struct Run {
  std::map<std::string, int64_t> dispatches;
  std::map<std::string, Durations> times;
  Durations steps;
  int64_t evaluations = 0;
};

Run look_at(const Timeline& timeline) {
  Run run;
  for (const TimedCommand& command : timeline.commands) ++run.dispatches[timeline.name_of(command)];
  const Activity activity = find_activity(timeline);
  for (const TimedCommand* command : activity.commands) {
    run.times[timeline.name_of(*command)].push_back(static_cast<double>(command->time.length()));
  }
  for (size_t i = 1; i < activity.evaluations.size(); ++i) {
    run.steps.push_back(static_cast<double>(activity.evaluations[i].encode.begin -
                                            activity.evaluations[i - 1].encode.begin));
  }
  const auto encodes = std::ranges::count_if(
      timeline.spans, [](const TimedSpan& span) { return span.kind == trace::SpanKind::kEncode; });
  run.evaluations = encodes > 0 ? encodes : static_cast<int64_t>(activity.evaluations.size());
  return run;
}

Baseline join(const std::vector<Run>& runs) {
  Baseline baseline{.runs = static_cast<int64_t>(runs.size()), .evaluations = runs[0].evaluations};
  std::vector<Durations> steps;
  std::map<std::string, std::vector<Durations>> times;
  for (const Run& run : runs) {
    steps.push_back(run.steps);
    for (const auto& [name, durations] : run.times) times[name].push_back(durations);
  }
  baseline.step = summarise(steps);
  for (const auto& [name, count] : runs[0].dispatches) {
    baseline.kernels[name] = {count, summarise(times[name])};
  }
  return baseline;
}

// Runs of the same program launch the same.
Result<void> check_alike(const std::vector<Run>& runs, const std::vector<std::string>& paths) {
  for (size_t i = 1; i < runs.size(); ++i) {
    if (runs[i].dispatches == runs[0].dispatches) continue;
    for (const auto& [name, count] : runs[0].dispatches) {
      const auto other = runs[i].dispatches.find(name);
      const int64_t found = other == runs[i].dispatches.end() ? 0 : other->second;
      if (found == count) continue;
      return Error{
          fmt::format("'{}' and '{}' are no runs of the same program: '{}' runs {} and {} times",
                      paths[0], paths[i], name, count, found)};
    }
    return Error{
        fmt::format("'{}' has kernels that '{}' has not: they are no runs of the same "
                    "program",
                    paths[i], paths[0])};
  }
  return {};
}

}  // namespace

Result<Baseline> make_baseline(const std::vector<std::string>& paths) {
  std::vector<Run> runs;
  std::string device;
  for (const std::string& path : paths) {
    const Result<trace::Document> document = trace::Document::open(path);
    if (!document) return document.error();
    const Result<Timeline> timeline = load_timeline(*document);
    if (!timeline) return timeline.error();
    if (timeline->commands.empty()) return Error{fmt::format("'{}' has no commands", path)};
    if (runs.empty()) device = document->fact("device_name").value_or("");
    runs.push_back(look_at(*timeline));
  }
  if (Result<void> checked = check_alike(runs, paths); !checked) return checked.error();
  Baseline baseline = join(runs);
  baseline.device = std::move(device);
  return baseline;
}

}  // namespace assay::analysis
