// See finding_log.h.
#include "sanitizer/finding_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace assay::sanitizer {
namespace {

// In place of an index into the findings that are kept.
constexpr size_t kSuppressed = std::numeric_limits<size_t>::max();
constexpr size_t kOverLimit = kSuppressed - 1;

// Findings with the same text are one. The memory belongs to it: a helper function may go wrong on
// two buffers at one line, and outputs have no place at all.
std::string identity(const Finding& finding, std::string_view rule) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", rule, finding.kernel, finding.place.file,
                     finding.place.line, finding.place.column,
                     finding.memory ? finding.memory->name : "");
}

constexpr std::string_view kSameValue = "race-same-value";
// Where values differ as well, equal ones are no news.
constexpr std::string_view kRaces[] = {"race-update", "race-device", "race-threadgroup"};

void add_saturated(uint64_t& sum, uint64_t more) {
  if (__builtin_add_overflow(sum, more, &sum)) sum = std::numeric_limits<uint64_t>::max();
}

}  // namespace

FindingLog::FindingLog(LogOptions options) : options_(std::move(options)) {}

Added FindingLog::add(Finding finding) {
  const std::lock_guard lock(mutex_);
  if (finding.severity < options_.least) return Added::kBelow;
  std::string key = identity(finding, finding.rule);
  if (const auto known = index_.find(key); known != index_.end()) {
    if (known->second == kSuppressed) return Added::kSuppressed;
    if (known->second == kOverLimit) return Added::kOverLimit;
    add_saturated(entries_[known->second].finding.occurrences, finding.occurrences);
    return Added::kFolded;
  }
  if (is_covered(finding)) return Added::kFolded;
  if (options_.suppressions.suppresses(finding)) {
    ++suppressed_;
    index_.emplace(std::move(key), kSuppressed);
    return Added::kSuppressed;
  }
  if (entries_.size() >= options_.limit) {
    ++left_out_;
    index_.emplace(std::move(key), kOverLimit);
    return Added::kOverLimit;
  }
  index_.emplace(std::move(key), entries_.size());
  entries_.push_back({std::move(finding)});
  return Added::kNew;
}

bool FindingLog::is_covered(const Finding& finding) const {
  return finding.rule == kSameValue && std::ranges::any_of(kRaces, [&](std::string_view rule) {
           const auto found = index_.find(identity(finding, rule));
           return found != index_.end() && found->second < entries_.size();
         });
}

bool FindingLog::add_kernel(const CheckedKernel& kernel) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = kernel_index_.try_emplace(kernel.name, kernels_.size());
  if (is_new) kernels_.push_back({{kernel.name, 0}});
  add_saturated(kernels_[place->second].kernel.dispatches, kernel.dispatches);
  return is_new;
}

CheckReport FindingLog::report() const {
  const std::lock_guard lock(mutex_);
  CheckReport report{
      .findings = {}, .kernels = {}, .suppressed = suppressed_, .left_out = left_out_};
  for (const Entry& entry : entries_) {
    if (!is_covered(entry.finding)) report.findings.push_back(entry.finding);
  }
  for (const Kernel& each : kernels_) report.kernels.push_back(each.kernel);
  report.unused_suppressions = options_.suppressions.unused();
  return report;
}

bool FindingLog::has_at_least(Severity severity) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(
      entries_, [&](const Entry& entry) { return entry.finding.severity >= severity; });
}

CheckReport FindingLog::take_unreported() {
  const std::lock_guard lock(mutex_);
  CheckReport report;
  for (Entry& entry : entries_) {
    const uint64_t more = entry.finding.occurrences - entry.reported;
    if (more == 0) continue;
    entry.reported = entry.finding.occurrences;
    report.findings.push_back(entry.finding);
    report.findings.back().occurrences = more;
  }
  move_kernels(report);
  return report;
}

CheckReport FindingLog::take_kernels() {
  const std::lock_guard lock(mutex_);
  CheckReport report;
  move_kernels(report);
  return report;
}

void FindingLog::move_kernels(CheckReport& report) {
  for (Kernel& each : kernels_) {
    const uint64_t more = each.kernel.dispatches - each.reported;
    if (more == 0) continue;
    each.reported = each.kernel.dispatches;
    report.kernels.push_back({each.kernel.name, more});
  }
}

std::vector<Finding> FindingLog::take_new() {
  const std::lock_guard lock(mutex_);
  std::vector<Finding> result;
  for (Entry& entry : entries_) {
    if (entry.reported != 0) continue;
    entry.reported = entry.finding.occurrences;
    result.push_back(entry.finding);
  }
  return result;
}

}  // namespace assay::sanitizer
