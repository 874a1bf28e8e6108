// A new view is one line here. See view_registry.h.
#include "analysis/view_registry.h"

#include <algorithm>

#include "analysis/views/commands.h"
#include "analysis/views/compilations.h"
#include "analysis/views/deps.h"
#include "analysis/views/kernels.h"
#include "analysis/views/memory.h"
#include "analysis/views/summary.h"

namespace assay::analysis {
namespace {

constexpr View kViews[] = {
    {"summary", "What a trace holds: times, kernels, memory", false, false, run_summary},
    {"kernels", "What each kernel costs: times, share, bytes and GB/s", true, false, run_kernels},
    {"commands", "What ran, in order, and which line asked for it", true, true, run_commands},
    {"deps", "Why commands had to wait for others, and the longest chain", true, false, run_deps},
    {"memory", "Memory over time, and the largest buffers with their origin", false, false,
     run_memory},
    {"compilations", "Kernels that were made ready during the capture", true, false,
     run_compilations},
};

}  // namespace

std::span<const View> views() { return kViews; }

const View* find_view(std::string_view name) {
  const auto* view = std::ranges::find(kViews, name, &View::name);
  return view == std::end(kViews) ? nullptr : view;
}

}  // namespace assay::analysis
