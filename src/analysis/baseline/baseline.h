// What a program's runs looked like when they were good, and whether they still do: what was run,
// how long it took, and how much that varies by itself.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/document.h"

namespace assay::analysis {

// Times of one thing, in nanoseconds.
struct TimeSummary {
  double median = 0;
  // How far the median of another run may be away by chance: from the spread within the runs, and
  // between them where there are several.
  double noise = 0;
  int64_t count = 0;
};

struct KernelBaseline {
  int64_t dispatches = 0;  // of one run
  TimeSummary time = {};   // of one dispatch, in the steady part
};

struct Baseline {
  int64_t runs = 0;
  int64_t evaluations = 0;  // of one run
  std::string device = {};
  TimeSummary step = {};  // from one evaluation to the next, in the steady part
  std::map<std::string, KernelBaseline> kernels = {};
};

// Of the traces of several runs of the same program. The error says which are not alike.
Result<Baseline> make_baseline(const std::vector<std::string>& paths);

std::string baseline_text(const Baseline& baseline);  // JSON
// Trusts nothing in the text.
Result<Baseline> parse_baseline(std::string_view text);

enum class Change : uint8_t { kSame, kFaster, kSlower, kAppeared, kVanished, kCountChanged };

struct Comparison {
  std::string name;  // a kernel's, or "step"
  Change change = Change::kSame;
  int64_t count_before = 0, count_after = 0;
  TimeSummary before = {}, after = {};
  double allowed = 0;  // nanoseconds by which `after` may be slower

  bool is_regression() const {
    return change == Change::kSlower || change == Change::kAppeared ||
           change == Change::kCountChanged;
  }
};

struct CompareOptions {
  double tolerance = 0.05;  // share by which anything may be slower, noise or not
  bool is_structure_only = false;
};

struct BaselineComparison {
  std::vector<Comparison> rows = {};  // the step, then kernels, the largest difference first
  std::string remark = {};            // what makes the times hard to compare; may be empty

  bool has_regression() const;
};

BaselineComparison compare_baselines(const Baseline& before, const Baseline& after,
                                     const CompareOptions& options);

const char* change_name(Change change);

}  // namespace assay::analysis
