// Builds kernels from textual IR in tests.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "codegen/build_kernel.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace assay::codegen::testing {

// Fails loudly on IR that does not parse: that is a mistake of the test.
inline std::unique_ptr<llvm::Module> parse_text(const std::string& text,
                                                llvm::LLVMContext& context) {
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, diagnostic, context);
  if (!module) {
    std::string message;
    llvm::raw_string_ostream stream(message);
    diagnostic.print("test", stream);
    throw std::runtime_error(message);
  }
  return module;
}

inline std::string to_bitcode(const std::string& text) {
  llvm::LLVMContext context;
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(*parse_text(text, context), stream);
  return bytes;
}

inline kernel::Argument buffer(std::string name, uint32_t slot) {
  kernel::Argument argument;
  argument.name = std::move(name);
  argument.slot = slot;
  return argument;
}

inline kernel::Argument threadgroup_memory(std::string name, uint32_t slot) {
  kernel::Argument argument = buffer(std::move(name), slot);
  argument.kind = kernel::ArgumentKind::kThreadgroupMemory;
  argument.address_space = kernel::AddressSpace::kThreadgroup;
  return argument;
}

inline kernel::Argument attribute(kernel::ThreadAttribute which, uint32_t components = 1,
                                  uint32_t component_bytes = 4) {
  kernel::Argument argument;
  argument.name = "attribute";
  argument.kind = kernel::ArgumentKind::kThreadAttribute;
  argument.attribute = which;
  argument.components = components;
  argument.component_bytes = component_bytes;
  return argument;
}

inline kernel::KernelInfo kernel_info(std::vector<kernel::Argument> arguments) {
  kernel::KernelInfo info;
  info.name = "k";
  info.symbol = "k";
  info.arguments = std::move(arguments);
  return info;
}

inline BuildOptions checked_options(unsigned optimisation = 2) {
  BuildOptions options;
  options.executor = kernel::Executor::kReference;
  options.optimisation = optimisation;
  options.verify = true;
  return options;
}

// Builds kernel "k" of `text`; throws with the message when that fails.
inline BuildOutput build(const std::string& text, const kernel::KernelInfo& info,
                         const BuildOptions& options = checked_options()) {
  Result<BuildOutput> output = build_cpu_kernel(to_bitcode(text), info, {}, {}, options);
  if (!output) throw std::runtime_error(output.error().message);
  return std::move(*output);
}

// The error of a build that must fail; empty when it does not.
inline std::string build_error(const std::string& text, const kernel::KernelInfo& info,
                               const BuildOptions& options = checked_options()) {
  Result<BuildOutput> output = build_cpu_kernel(to_bitcode(text), info, {}, {}, options);
  return output ? std::string() : output.error().message;
}

}  // namespace assay::codegen::testing
