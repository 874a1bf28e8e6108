// Compares the features behind a processor name with those of the host.
#include "device/cpu/target_check.h"

#include <fmt/format.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/X86TargetParser.h>

#include <algorithm>
#include <string>
#include <vector>

namespace assay::device::cpu {
namespace {

// Processors also differ in features for operating systems (enclaves, protection keys), which
// generated code never uses and virtual machines often hide.
bool is_used_by_generated_code(llvm::StringRef feature) {
  constexpr llvm::StringLiteral kFamilies[] = {
      "sse",   "ssse3", "avx",  "fma", "f16c", "bmi",  "lzcnt",      "popcnt",
      "movbe", "cmov",  "cx16", "adx", "gfni", "vaes", "vpclmulqdq", "amx"};
  return std::any_of(std::begin(kFamilies), std::end(kFamilies),
                     [&](llvm::StringRef family) { return feature.starts_with(family); });
}

struct Host {
  std::string name = llvm::sys::getHostCPUName().str();
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
};

// Asking the processor takes several microseconds and never changes its answer.
const Host& host() {
  static const Host found;
  return found;
}

// A name this LLVM does not know adds nothing: then only the features that are spelled out count.
void add_features_of(llvm::StringRef name, llvm::StringSet<>& needed) {
  if (name == host().name || llvm::X86::parseArchX86(name) == llvm::X86::CK_None) return;
  llvm::SmallVector<llvm::StringRef, 64> features;
  llvm::X86::getFeaturesForCPU(name, features);
  for (const llvm::StringRef feature : features) needed.insert(feature);
}

}  // namespace

Result<void> check_target(std::string_view target_cpu) {
  llvm::SmallVector<llvm::StringRef, 64> words;
  llvm::StringRef(target_cpu).split(words, ' ', -1, /*KeepEmpty=*/false);
  llvm::StringSet<> needed;
  for (llvm::StringRef word : words) {
    if (word.consume_front("+")) {
      needed.insert(word);
    } else if (word.consume_front("-")) {
      needed.erase(word);
    } else {
      add_features_of(word, needed);
    }
  }
  std::vector<std::string> missing;
  for (const auto& entry : needed) {
    const llvm::StringRef feature = entry.getKey();
    if (is_used_by_generated_code(feature) && !host().features.lookup(feature)) {
      missing.push_back(feature.str());
    }
  }
  if (missing.empty()) return {};
  return Error{
      fmt::format("it needs the instruction set '{}', which this processor ({}) does not "
                  "have; build the kernel for this machine",
                  *std::min_element(missing.begin(), missing.end()), host().name)};
}

}  // namespace assay::device::cpu
