// Why is it slow: what a trace says about that, in words and figures. Every finding has its
// evidence, the user's line, what to change and what that would save.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/kernel_findings.h"
#include "trace/document.h"

namespace assay::analysis {

// Nanoseconds of the trace.
struct TimeRange {
  int64_t begin = 0;
  int64_t end = 0;

  int64_t length() const { return end - begin; }
};

struct Phase {
  std::string name;  // "start", "warm-up", "steady" or "end"
  TimeRange range;
};

enum class Bound : uint8_t { kDevice, kHost, kMixed, kTooShort };

struct Verdict {
  Bound bound = Bound::kTooShort;
  std::string text = {};
  double busy_share = 0;  // of the window, over the union of the device's work
  int64_t idle_ns = 0;
  TimeRange window = {};  // the steady part
  std::vector<Phase> phases = {};
};

enum class Severity : uint8_t { kLow, kMedium, kHigh };

struct Evidence {
  std::string name = {};
  std::string value;
};

constexpr size_t kMaxListed = 50;  // commands and ranges of one finding

struct Finding {
  std::string rule = {};
  Severity severity = Severity::kLow;
  std::string title = {};
  std::string detail = {};
  std::vector<Evidence> evidence = {};
  std::string site = {};
  std::vector<trace::Id> commands = {};
  std::vector<trace::Id> kernels = {};
  std::vector<TimeRange> ranges = {};
  std::string advice = {};
  int64_t gain_ns = 0;
  double gain_share = 0;  // of the window
};

struct KernelRate {
  trace::Id kernel = 0;  // 0 for copies, fills and matrix products
  std::string name = {};
  int64_t dispatches = 0;
  int64_t total_ns = 0;
  int64_t bytes = 0;                      // read and written; 0 where nobody knows
  double bandwidth = 0;                   // bytes/s
  std::optional<double> peak_share = {};  // of the measured bandwidth
};

struct Report {
  Verdict verdict;
  std::vector<KernelFinding> checks;  // what checks of kernels found, if it ran under them
  std::vector<Finding> findings;      // the largest gain first
  std::vector<KernelRate> kernels;    // the longest time first
};

Result<Report> make_report(const trace::Document& document);

}  // namespace assay::analysis
