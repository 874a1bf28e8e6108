// So little work in each kernel that encoding and launching it takes longer than running it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "analysis/report/gap_groups.h"
#include "analysis/report/rules/rules.h"

namespace assay::analysis {
namespace {

constexpr int64_t kTinyBytes = 1 << 16;
constexpr int64_t kTinyThreads = 1 << 14;
constexpr int64_t kTinyTime_ns = 20'000;
constexpr size_t kLeastCommands = 100;
constexpr double kLeastShare = 0.2;

bool is_tiny(const TimedCommand& command) {
  return command.kind != trace::CommandKind::kMatrixProduct && command.bytes() <= kTinyBytes &&
         command.threads <= kTinyThreads && command.time.length() <= kTinyTime_ns;
}

// How long the device waits while the host asks for kernels.
int64_t waiting_time(const Activity& activity) {
  int64_t sum = 0;
  for (const Gap& gap : activity.gaps) sum += gap.asking_ns();
  return sum;
}

// Of the line that most of them come from.
trace::Id most_frequent_site(const std::vector<const TimedCommand*>& commands) {
  std::map<trace::Id, size_t> counts;
  for (const TimedCommand* command : commands) ++counts[command->site];
  return std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; })->first;
}

}  // namespace

void look_for_tiny_kernels(const RuleContext& context, std::vector<Finding>& findings) {
  std::unordered_set<trace::Id> chained;  // a rule of its own tells what to do about them
  for (const Chain& chain : context.chains) {
    for (const TimedCommand* command : chain.commands) chained.insert(command->id);
  }
  std::vector<const TimedCommand*> tiny;
  int64_t run_ns = 0;
  for (const TimedCommand* command : context.activity.commands) {
    if (!is_tiny(*command) || chained.contains(command->id)) continue;
    tiny.push_back(command);
    run_ns += command->time.length();
  }
  const size_t evaluations = std::max<size_t>(1, context.activity.evaluations.size());
  // One for each evaluation is what the program asked for: then the gaps around it count.
  if (tiny.size() < kLeastCommands || tiny.size() < 4 * evaluations) return;
  if (2 * tiny.size() < context.activity.commands.size()) return;
  const int64_t waiting_ns = waiting_time(context.activity);
  const double rest = 1.0 / (static_cast<double>(tiny.size()) / static_cast<double>(evaluations));
  const auto gain_ns = static_cast<int64_t>((1 - rest) * static_cast<double>(waiting_ns + run_ns));
  if (context.activity.share(gain_ns) < kLeastShare) return;
  Finding finding{.rule = "tiny-kernels"};
  set_gain(context.activity, gain_ns, finding);
  const auto count = static_cast<int64_t>(tiny.size());
  finding.title = fmt::format("{} tiny kernels: launching takes longer than computing", count);
  finding.detail = fmt::format(
      "{} in each evaluation, {} long on average; the device waits {} while they are asked for and "
      "encoded one by one. One kernel over all of their data has this cost once.",
      count / static_cast<int64_t>(evaluations), duration(run_ns / count), duration(waiting_ns));
  finding.evidence = {{"tiny kernels", fmt::format("{}", count)},
                      {"of all", fmt::format("{}", context.activity.commands.size())},
                      {"time in them", duration(run_ns)},
                      {"device idle meanwhile", duration(waiting_ns)}};
  finding.site = context.timeline.text(most_frequent_site(tiny));
  finding.advice =
      "put the small arrays into one with a further axis (mx.stack) and run the op once over it";
  add_commands(tiny, finding);
  findings.push_back(std::move(finding));
}

}  // namespace assay::analysis
