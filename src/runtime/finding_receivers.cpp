// See finding_receivers.h.
#include "runtime/finding_receivers.h"

#include <mutex>
#include <vector>

#include "capture/recorder.h"

namespace assay::runtime {
namespace {

struct Receivers {
  std::mutex mutex;
  std::vector<std::weak_ptr<capture::Recorder>> recorders;
};

// Lives as long as the process, whose devices may still work while it ends.
Receivers& receivers() {
  static auto* const all = new Receivers;
  return *all;
}

trace::FindingRecord make_record(const sanitizer::Finding& finding) {
  return {.rule = finding.rule,
          .severity = static_cast<trace::FindingSeverity>(finding.severity),
          .kernel = finding.kernel,
          .file = finding.place.file,
          .line = finding.place.line,
          .character = finding.place.column,
          .message = finding.message,
          .fix = finding.fix,
          .site = finding.call_site,
          .occurrences = static_cast<int64_t>(finding.occurrences)};
}

}  // namespace

void add_finding_receiver(const capture::Session& session) {
  Receivers& all = receivers();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.recorders, [](const auto& each) { return each.expired(); });
  all.recorders.push_back(session.recorder());
}

void tell_finding_receivers(const sanitizer::Finding& finding) {
  std::vector<std::weak_ptr<capture::Recorder>> recorders;
  {
    Receivers& all = receivers();
    const std::lock_guard lock(all.mutex);
    recorders = all.recorders;
  }
  for (const auto& each : recorders) {
    if (const auto recorder = each.lock()) recorder->add_finding(make_record(finding));
  }
}

}  // namespace assay::runtime
