// See attach_checks.h.
#include "runtime/attach_checks.h"

#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <optional>
#include <vector>

#include "runtime/finding_receivers.h"
#include "runtime/tell_user.h"
#include "sanitizer/call_checks.h"
#include "sanitizer/report/report_file.h"
#include "sanitizer/report/text_report.h"

namespace assay::runtime {
namespace {

using sanitizer::CheckReport;
using sanitizer::Finding;
using sanitizer::FindingLog;

// Tells of kernels that run under the checks, so that silence is known to mean something.
class KernelCounter final : public device::Observer {
 public:
  using Count = std::function<void(const std::string&)>;
  explicit KernelCounter(Count count) : count_(std::move(count)) {}

  device::Interest interest() const override { return device::Interest::kTimes; }
  void on_command_end(const kernel::CommandDescription& command, const kernel::DispatchTimes&,
                      std::string_view) override {
    if (command.kind == kernel::CommandKind::kDispatch) count_(command.kernel->name);
  }

 private:
  const Count count_;
};

void attach(device::Device& device, const sanitizer::CheckOptions& options,
            sanitizer::CheckService::Found found, KernelCounter::Count count) {
  sanitizer::CheckService::attach(device, options, std::move(found));
  device.add_observer(std::make_shared<KernelCounter>(std::move(count)));
}

// The checks of a process that was started with ASSAY_CHECK: tells what is new at once, and the
// final counts when the process ends.
class EnvironmentChecks {
 public:
  EnvironmentChecks(sanitizer::LogOptions options, std::optional<sanitizer::ReportFile> file,
                    sanitizer::TextStyle style)
      : log_(std::move(options)), file_(std::move(file)), style_(style) {}

  void add(Finding finding) {
    const Finding told = finding;
    const sanitizer::Added added = log_.add(std::move(finding));
    // A document has what it contains, whether an earlier one had it too or not.
    if (added == sanitizer::Added::kNew || added == sanitizer::Added::kFolded) {
      tell_finding_receivers(told);
    }
    if (added != sanitizer::Added::kNew) return;
    for (const Finding& each : log_.take_new()) {
      if (file_) {
        keep(file_->append(each));
      } else {
        tell_user(sanitizer::finding_text(each, style_) + '\n');
      }
    }
  }

  void count(const std::string& kernel) {
    // A file that names the kernel at once is right even when the process is killed.
    const bool is_new = log_.add_kernel({kernel, 1});
    if (is_new && file_) keep(file_->append(log_.take_kernels()));
  }

  void end_with_process() {
    if (::getpid() != process_) return;  // a fork has told its own
    if (file_) {
      keep(file_->append(log_.take_unreported()));
    } else if (const CheckReport report = log_.report(); !report.findings.empty()) {
      tell_user(sanitizer::summary_text(report, style_));
    }
  }

 private:
  // Findings must not get lost without a word.
  static void keep(const Result<void>& written) {
    if (!written) tell_user_line(written.error().message);
  }

  FindingLog log_;
  std::optional<sanitizer::ReportFile> file_;
  const sanitizer::TextStyle style_;
  const pid_t process_ = ::getpid();
};

// Lives as long as the process, whose devices may still work while it ends.
EnvironmentChecks* current = nullptr;

Result<EnvironmentChecks*> start_environment_checks(const base::Settings& settings) {
  if (current != nullptr) return current;
  sanitizer::LogOptions options;
  if (!settings.check_suppressions.empty()) {
    auto suppressions = sanitizer::Suppressions::load(settings.check_suppressions);
    if (!suppressions) return suppressions.error();
    options.suppressions = std::move(*suppressions);
  }
  std::optional<sanitizer::ReportFile> file;
  if (!settings.check_report.empty()) {
    Result<sanitizer::ReportFile> opened = sanitizer::ReportFile::open(settings.check_report);
    if (!opened) return opened.error();
    file = std::move(*opened);
  }
  const bool is_coloured = settings.is_colour_allowed && ::isatty(STDERR_FILENO) == 1;
  current = new EnvironmentChecks(std::move(options), std::move(file), {is_coloured});
  std::atexit([] { current->end_with_process(); });
  return current;
}

// Of one launch: the text of its errors, if it has any.
Result<void> judge_call(std::vector<Finding> findings, FindingLog& log,
                        sanitizer::TextStyle style) {
  for (Finding& finding : findings) log.add(std::move(finding));
  std::string errors;
  for (const Finding& each : log.report().findings) {
    if (each.severity == sanitizer::Severity::kError) {
      errors += '\n' + sanitizer::finding_text(each);
    } else {
      tell_user(sanitizer::finding_text(each, style) + '\n');
    }
  }
  if (errors.empty()) return {};
  errors.pop_back();
  return Error{"[check] the kernel is wrong:" + errors};
}

}  // namespace

void attach_checks(device::Device& device, const sanitizer::CheckOptions& options,
                   std::shared_ptr<FindingLog> log) {
  attach(
      device, options, [log](Finding finding) { log->add(std::move(finding)); },
      [log](const std::string& kernel) { log->add_kernel({kernel, 1}); });
}

Result<void> attach_checks(device::Device& device, const base::Settings& settings) {
  if (settings.checks.empty()) return {};
  const Result<sanitizer::CheckSet> checks = sanitizer::parse_checks(settings.checks);
  if (!checks) return checks.error();
  const Result<EnvironmentChecks*> environment = start_environment_checks(settings);
  if (!environment) return environment.error();
  EnvironmentChecks* target = *environment;
  attach(
      device, {.checks = *checks, .schedule_seed = settings.check_seed},
      [target](Finding finding) { target->add(std::move(finding)); },
      [target](const std::string& kernel) { target->count(kernel); });
  return {};
}

void allow_call_checks(device::Device& device, const base::Settings& settings) {
  const bool is_coloured = settings.is_colour_allowed && ::isatty(STDERR_FILENO) == 1;
  device.set_check_maker([file = settings.check_suppressions, is_coloured,
                          race_bytes = sanitizer::most_race_bytes(device)](std::string_view names)
                             -> Result<std::shared_ptr<device::CheckService>> {
    const Result<sanitizer::CheckSet> checks = sanitizer::parse_checks(names);
    if (!checks) return checks.error();
    sanitizer::LogOptions options;
    if (!file.empty()) {
      auto suppressions = sanitizer::Suppressions::load(file);
      if (!suppressions) return suppressions.error();
      options.suppressions = std::move(*suppressions);
    }
    auto judge = [options, is_coloured](std::vector<Finding> findings) {
      FindingLog log(options);
      return judge_call(std::move(findings), log, {is_coloured});
    };
    return std::shared_ptr<device::CheckService>(
        std::make_shared<sanitizer::CallChecks>(*checks, race_bytes, std::move(judge)));
  });
}

}  // namespace assay::runtime
