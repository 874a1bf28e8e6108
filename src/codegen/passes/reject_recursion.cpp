// Depth-first search for a call cycle.
#include "codegen/passes/reject_recursion.h"

#include <algorithm>

#include "codegen/call_graph.h"
#include "fmt/format.h"

namespace assay::codegen {
namespace {

struct Visit {
  llvm::Function* function;
  std::vector<llvm::Function*> callees;
  size_t next = 0;
};

std::string describe_cycle(const std::vector<Visit>& path, const llvm::Function* repeated) {
  auto start = std::find_if(path.begin(), path.end(),
                            [&](const Visit& visit) { return visit.function == repeated; });
  std::string text = fmt::format("'{}'", readable_name(*repeated));
  for (auto it = start + 1; it != path.end(); ++it) {
    text += fmt::format(" calls '{}'", readable_name(*it->function));
  }
  return text + fmt::format(" calls '{}'", readable_name(*repeated));
}

// Empty when nothing that `root` calls is recursive. `done` collects functions known to be fine.
std::string find_cycle(llvm::Function& root, llvm::DenseSet<llvm::Function*>& done) {
  if (done.contains(&root)) return {};
  std::vector<Visit> path;
  llvm::DenseSet<llvm::Function*> on_path{&root};
  path.push_back({&root, callees(root)});
  while (!path.empty()) {
    Visit& top = path.back();
    if (top.next == top.callees.size()) {
      on_path.erase(top.function);
      done.insert(top.function);
      path.pop_back();
      continue;
    }
    llvm::Function* callee = top.callees[top.next++];
    if (on_path.contains(callee)) return describe_cycle(path, callee);
    if (done.contains(callee)) continue;
    on_path.insert(callee);
    path.push_back({callee, callees(*callee)});
  }
  return {};
}

}  // namespace

Result<void> reject_recursion(KernelBuild& build) {
  llvm::DenseSet<llvm::Function*> done;
  // Every function, not only what the kernel calls: initialisers of constants count too.
  for (llvm::Function& function : build.module) {
    if (function.isDeclaration()) continue;
    if (std::string cycle = find_cycle(function, done); !cycle.empty()) {
      return build.error(fmt::format(
          "Metal does not allow recursion: {}; write it as a loop, or as a template whose depth "
          "is known at compile time",
          cycle));
    }
  }
  return {};
}

}  // namespace assay::codegen
