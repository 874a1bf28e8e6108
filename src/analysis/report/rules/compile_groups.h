// Compilations and kernel objects of the window, by the line that causes them.
#pragma once

#include <map>
#include <string>

#include "analysis/report/rule.h"

namespace assay::analysis {

struct CompileGroup {
  std::vector<const TimedSpan*> spans;
  int64_t time_ns = 0;
};

// Kernel objects that are made again and again, by name and line.
struct RebuiltKernel {
  std::string name;
  trace::Id site = 0;
  CompileGroup made;      // the objects
  CompileGroup compiled;  // compilations that they cause
};
std::vector<RebuiltKernel> find_rebuilt_kernels(const RuleContext& context);

// By line, without those that rebuilt kernels cause.
std::map<trace::Id, CompileGroup> find_compilations(const RuleContext& context);

}  // namespace assay::analysis
