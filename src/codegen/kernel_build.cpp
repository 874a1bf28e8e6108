// Error texts and limits of a build.
#include "codegen/kernel_build.h"

#include "fmt/format.h"
#include "llvm/Demangle/Demangle.h"

namespace assay::codegen {

Error KernelBuild::error(const std::string& text) const {
  return Error{fmt::format("[compile] kernel '{}': {}", info.name, text)};
}

Error KernelBuild::fall_back(const std::string& reason) {
  fallback_reason = reason;
  return error(reason);
}

std::string KernelBuild::size_reason() const {
  return fmt::format("its code for 32 threads at once has more than {} instructions",
                     options.vector_instruction_limit);
}

Error KernelBuild::internal_error(const std::string& text) const {
  return error(fmt::format("internal error: {}; please report it with the kernel's source", text));
}

Result<void> KernelBuild::check_time() const {
  if (base::ThreadCpuClock::now() <= deadline) return {};
  return error(
      fmt::format("compilation took more processor time than the limit of {} s; make the "
                  "kernel smaller or raise the time limit",
                  options.time_limit_s));
}

Result<void> KernelBuild::check_limits() const {
  if (Result<void> time = check_time(); !time) return time;
  uint64_t instructions = 0;
  for (const llvm::Function& function : module) instructions += function.getInstructionCount();
  if (instructions > options.instruction_limit) return too_long(options.instruction_limit);
  return {};
}

Error KernelBuild::too_long(uint64_t limit) const {
  return error(
      fmt::format("the kernel and the functions it calls grow beyond the limit of {} "
                  "instructions; split the kernel or unroll less",
                  limit));
}

void KernelBuild::erase_unused_functions() {
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Function& function : llvm::make_early_inc_range(module)) {
      function.removeDeadConstantUsers();
      if (&function == kernel || &function == entry || !function.use_empty()) continue;
      function.eraseFromParent();
      changed = true;
    }
  }
}

std::string readable_name(const llvm::GlobalValue& global) {
  std::string symbol = global.getName().str();
  // The address space of `this`, which LLVM's demangler does not know: _ZNU<length>CL<space>….
  constexpr std::pair<const char*, const char*> kSpaces[] = {{"CLglobal", "device"},
                                                             {"CLlocal", "threadgroup"},
                                                             {"CLconstant", "constant"},
                                                             {"CLprivate", "thread"}};
  for (auto [mangled, word] : kSpaces) {
    std::string qualifier = fmt::format("U{}{}", std::string_view(mangled).size(), mangled);
    if (llvm::StringRef(symbol).starts_with("_ZN" + qualifier)) symbol.erase(3, qualifier.size());
  }
  std::string name = llvm::demangle(symbol);
  for (auto [mangled, word] : kSpaces) {
    for (size_t at; (at = name.find(mangled)) != std::string::npos;) {
      name.replace(at, std::string_view(mangled).size(), word);
    }
  }
  return name;
}

}  // namespace assay::codegen
