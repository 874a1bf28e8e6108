// Objects for tests of the loader: LLVM IR as text in, an object for this machine out.
#pragma once

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/ensure.h"

namespace assay::device::cpu::testing {

// Runs the back end only. Stops the test program when the text is wrong.
inline std::vector<uint8_t> assemble_object(const std::string& ir) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseAssemblyString(ir, diagnostic, context);
  ASSAY_ENSURE(module != nullptr, "the test's IR does not parse");

  const std::string triple = llvm::sys::getProcessTriple();
  std::string problem;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, problem);
  ASSAY_ENSURE(target != nullptr, "LLVM has no target for this machine");
  llvm::TargetOptions options;
  options.EmitStackSizeSection = true;
  const std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, "", "", options, llvm::Reloc::PIC_));
  module->setDataLayout(machine->createDataLayout());
  module->setTargetTriple(triple);

  llvm::SmallVector<char> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  const bool refused =
      machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile);
  ASSAY_ENSURE(!refused, "LLVM cannot write objects for this machine");
  passes.run(*module);
  return {bytes.begin(), bytes.end()};
}

}  // namespace assay::device::cpu::testing
