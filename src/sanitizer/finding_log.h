// Collects findings while a program runs: folds what repeats, drops what the user does not want to
// hear of, and keeps the rest in the order of the program.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "sanitizer/finding.h"
#include "sanitizer/report/check_report.h"
#include "sanitizer/suppressions.h"

namespace assay::sanitizer {

struct LogOptions {
  Suppressions suppressions = {};
  Severity least = Severity::kNote;  // less severe findings are not kept
  size_t limit = 1000;               // findings that are kept; more are only counted
};

enum class Added : uint8_t {
  kNew,
  kFolded,      // into an earlier one of the same rule, kernel, place and memory, or of equal
                // writes into that of a race
  kSuppressed,  // by the user's file
  kBelow,       // not severe enough
  kOverLimit,
};

// Thread-safe.
class FindingLog {
 public:
  explicit FindingLog(LogOptions options = {});

  Added add(Finding finding);
  // Counts dispatches that ran under the checks. True for the first of a kernel.
  bool add_kernel(const CheckedKernel& kernel);

  CheckReport report() const;
  bool has_at_least(Severity severity) const;

  // What was added since the last call, to be handed on in pieces: findings with the occurrences
  // that are new, kernels with the dispatches that are new.
  CheckReport take_unreported();
  // Only findings that nobody was told of yet.
  std::vector<Finding> take_new();
  // Only the kernels.
  CheckReport take_kernels();

 private:
  struct Entry {
    Finding finding;
    uint64_t reported = 0;  // occurrences that were taken
  };
  struct Kernel {
    CheckedKernel kernel;
    uint64_t reported = 0;  // dispatches that were taken
  };

  // Another finding at the same place says more.
  bool is_covered(const Finding& finding) const;
  void move_kernels(CheckReport& report);

  mutable std::mutex mutex_;
  LogOptions options_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, size_t> index_;  // by what makes findings the same
  std::vector<Kernel> kernels_;
  std::unordered_map<std::string, size_t> kernel_index_;
  uint64_t suppressed_ = 0;
  uint64_t left_out_ = 0;
};

}  // namespace assay::sanitizer
