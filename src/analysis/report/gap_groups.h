// Gaps by what is to blame for them and by the lines around them.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/rule.h"

namespace assay::analysis {

enum class GapCause : uint8_t {
  kCompilation,  // most of it is compiling
  kAsking,       // most of it is calling ops and encoding
  kRead,         // it follows a value that the host had to wait for
  kProgram,      // anything else that the program does
};

struct GapGroup {
  GapCause cause = GapCause::kProgram;
  trace::Id before = 0, after = 0;  // sites: of the call that ended, of the next evaluation
  std::vector<const Gap*> gaps = {};
  int64_t total_ns = 0;

  // What the quarter of the shortest does not reach: noise of the machine makes gaps longer, never
  // shorter.
  int64_t usual_ns() const;
};

// Without those too short to matter to anybody.
std::vector<GapGroup> group_gaps(const RuleContext& context);

// A gap of this group in most steps of the program, and together they matter.
bool is_regular(const RuleContext& context, const GapGroup& group);

// "between train.py:12 and train.py:9".
std::string describe_place(const RuleContext& context, const GapGroup& group);
void add_gaps(const GapGroup& group, Finding& finding);

}  // namespace assay::analysis
