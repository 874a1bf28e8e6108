// Every rule of reports; a new one is a line here.
#include "analysis/report/rules/rules.h"

namespace assay::analysis {
namespace {

constexpr Rule kRules[] = {
    {"unfused-chain", look_for_unfused_chains},    {"read-in-loop", look_for_reads_in_loops},
    {"host-stall", look_for_host_stalls},          {"irregular-stalls", look_for_irregular_stalls},
    {"tiny-kernels", look_for_tiny_kernels},       {"forced-copy", look_for_forced_copies},
    {"kernel-rebuilt", look_for_rebuilt_kernels},  {"compile-in-window", look_for_compilations},
    {"slow-kernel", look_for_slow_kernels},        {"memory-growth", look_for_memory_growth},
    {"memory-pressure", look_for_memory_pressure},
};

}  // namespace

std::span<const Rule> report_rules() { return kRules; }

}  // namespace assay::analysis
