// The table of everything a check can say.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "sanitizer/finding.h"

namespace assay::sanitizer {

std::span<const Rule> rules();
// Null when there is none of that name.
const Rule* find_rule(std::string_view id);

// "error", "warning", "note".
std::string_view severity_name(Severity severity);
std::optional<Severity> find_severity(std::string_view name);

// Checks that are on.
class CheckSet {
 public:
  static CheckSet all() {
    CheckSet set;
    set.bits_ = (1U << kCheckCount) - 1;
    return set;
  }
  bool has(Check check) const { return (bits_ >> static_cast<int>(check) & 1U) != 0; }
  bool empty() const { return bits_ == 0; }
  void set(Check check, bool on) {
    const uint32_t bit = 1U << static_cast<int>(check);
    bits_ = on ? bits_ | bit : bits_ & ~bit;
  }
  bool operator==(const CheckSet&) const = default;

 private:
  uint32_t bits_ = 0;
};

// "races": how users name a check.
std::string_view check_name(Check check);
// "1", "all", "bounds,races", "all,-nonfinite". The error lists the names.
Result<CheckSet> parse_checks(std::string_view text);

}  // namespace assay::sanitizer
