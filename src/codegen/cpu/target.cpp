// Target machine set-up; LLVM prints warnings about unknown names, so they are checked before.
#include "codegen/cpu/target.h"

#include <mutex>

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

namespace assay::codegen::cpu {
namespace {

void initialise_llvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

struct HostCpu {
  std::string name;
  std::string features;  // only those it has, sorted
};

const HostCpu& host_cpu() {
  static const HostCpu host = [] {
    std::vector<std::string> names;
    for (const auto& [feature, present] : llvm::sys::getHostCPUFeatures()) {
      if (present) names.push_back("+" + feature.str());
    }
    std::sort(names.begin(), names.end());
    return HostCpu{llvm::sys::getHostCPUName().str(), llvm::join(names, ",")};
  }();
  return host;
}

std::string describe(const std::string& cpu, std::string features) {
  std::replace(features.begin(), features.end(), ',', ' ');
  return features.empty() ? cpu : cpu + " " + features;
}

Result<void> check_names(const llvm::Target& target, const std::string& triple,
                         const std::string& cpu, const std::string& features) {
  std::unique_ptr<llvm::MCSubtargetInfo> known(target.createMCSubtargetInfo(triple, "", ""));
  if (!known->isCPUStringValid(cpu)) {
    return Error{
        fmt::format("[compile] unknown processor '{}'; use a name such as x86-64-v3, or "
                    "none for this machine",
                    cpu)};
  }
  llvm::SmallVector<llvm::StringRef, 16> list;
  llvm::StringRef(features).split(list, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef feature : list) {
    llvm::StringRef name = feature;
    bool has_sign = name.consume_front("+") || name.consume_front("-");
    bool is_known = llvm::any_of(known->getAllProcessorFeatures(),
                                 [&](const auto& entry) { return name == entry.Key; });
    if (has_sign && is_known) continue;
    return Error{fmt::format("[compile] unknown processor feature '{}'; write it as +name or -name",
                             std::string_view(feature))};
  }
  return {};
}

llvm::CodeGenOptLevel code_generation_level(unsigned optimisation) {
  switch (optimisation) {
    case 0: return llvm::CodeGenOptLevel::None;
    case 1: return llvm::CodeGenOptLevel::Less;
    default: return llvm::CodeGenOptLevel::Default;
  }
}

}  // namespace

Result<std::unique_ptr<llvm::TargetMachine>> create_target_machine(const BuildOptions& options) {
  initialise_llvm();
  std::string triple = llvm::sys::getDefaultTargetTriple();
  std::string lookup_error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, lookup_error);
  if (!target) return Error{"[compile] this LLVM has no code generator: " + lookup_error};

  bool is_host = options.cpu.empty();
  std::string cpu = is_host ? host_cpu().name : options.cpu;
  std::string features = is_host ? host_cpu().features : options.features;
  if (!is_host) {
    if (Result<void> checked = check_names(*target, triple, cpu, features); !checked) {
      return checked.error();
    }
  }
  llvm::TargetOptions target_options;
  target_options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  // Read by the device, which refuses kernels that its threads have no stack for.
  target_options.EmitStackSizeSection = true;
  // A kernel that gets where LLVM thinks nobody can (after a null pointer, say) stops there with a
  // fault that the device reports, instead of running into the code behind.
  target_options.TrapUnreachable = true;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, cpu, features, target_options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
      code_generation_level(options.optimisation)));
  if (!machine) return Error{"[compile] LLVM cannot generate code for this machine"};
  return machine;
}

std::string describe_target(const llvm::TargetMachine& machine) {
  return describe(machine.getTargetCPU().str(), machine.getTargetFeatureString().str());
}

}  // namespace assay::codegen::cpu

namespace assay::codegen {

std::string describe_target(const BuildOptions& options) {
  const bool is_host = options.cpu.empty();
  return cpu::describe(is_host ? cpu::host_cpu().name : options.cpu,
                       is_host ? cpu::host_cpu().features : options.features);
}

}  // namespace assay::codegen
