// The rules, one for each file of this folder; see rule_list.cpp.
#pragma once

#include "analysis/report/rule.h"

namespace assay::analysis {

void look_for_unfused_chains(const RuleContext& context, std::vector<Finding>& findings);
void look_for_host_stalls(const RuleContext& context, std::vector<Finding>& findings);
void look_for_irregular_stalls(const RuleContext& context, std::vector<Finding>& findings);
void look_for_reads_in_loops(const RuleContext& context, std::vector<Finding>& findings);
void look_for_tiny_kernels(const RuleContext& context, std::vector<Finding>& findings);
void look_for_forced_copies(const RuleContext& context, std::vector<Finding>& findings);
void look_for_rebuilt_kernels(const RuleContext& context, std::vector<Finding>& findings);
void look_for_compilations(const RuleContext& context, std::vector<Finding>& findings);
void look_for_slow_kernels(const RuleContext& context, std::vector<Finding>& findings);
void look_for_memory_growth(const RuleContext& context, std::vector<Finding>& findings);
void look_for_memory_pressure(const RuleContext& context, std::vector<Finding>& findings);

}  // namespace assay::analysis
