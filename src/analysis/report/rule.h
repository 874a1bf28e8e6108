// What the rules of a report share. A rule looks at a trace for one problem; rule_list.cpp has
// them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/report/activity.h"
#include "analysis/report/chains.h"
#include "analysis/report/report.h"

namespace assay::analysis {

struct RuleContext {
  const Timeline& timeline;
  const Activity& activity;
  const std::vector<Chain>& chains;
  const std::vector<KernelRate>& kernels;
  // Bytes in a second: the measured peak, else the best that any kernel of the trace reached; 0
  // where nobody knows.
  double bandwidth = 0;
  bool is_bandwidth_measured = false;
};

struct Rule {
  const char* name;
  // Adds what it finds.
  void (*look)(const RuleContext& context, std::vector<Finding>& findings);
};
std::span<const Rule> report_rules();

// Sets gain, share and severity.
void set_gain(const Activity& activity, int64_t gain_ns, Finding& finding);
// The first ones, and their kernels.
void add_commands(std::span<const TimedCommand* const> commands, Finding& finding);
void add_range(const TimeRange& range, Finding& finding);

// "31 %".
std::string percent(double share);
std::string duration(int64_t ns);
// "a, b, c and 5 more".
std::string join_names(const std::vector<std::string>& names, size_t most = 6);
// The value that a share of them is below, such as 0.25; 0 for none.
int64_t quantile(std::vector<int64_t> values, double share);

}  // namespace assay::analysis
