// See compile.h.
#include "msl/compile.h"

#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Serialization/ASTWriter.h>
#include <clang/Serialization/InMemoryModuleCache.h>
#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "msl/front_end.h"
#include "msl/guarded_run.h"
#include "msl/ir_facts.h"
#include "msl/metal_words.h"
#include "msl/reflection.h"
#include "msl/standard_library.h"
#include "msl/thread_variables.h"

namespace assay::msl {
namespace {

Diagnostic stopped_diagnostic(const Source& source, const CompileLimits& limits,
                              GuardedOutcome outcome) {
  Diagnostic diagnostic;
  diagnostic.file = source.name;
  switch (outcome) {
    case GuardedOutcome::kOutOfTime:
      diagnostic.message = fmt::format(
          "compilation took more processor time than the limit of {} s", limits.seconds);
      break;
    case GuardedOutcome::kStuck:
      diagnostic.message = fmt::format(
          "compilation waited longer than the limit of {} s; is a file "
          "it includes a pipe, or on a drive that does not answer?",
          limits.seconds);
      break;
    case GuardedOutcome::kOutOfMemory:
      diagnostic.message = fmt::format("compilation took more memory than the limit of {} MiB",
                                       limits.memory_bytes >> 20);
      break;
    default:
      diagnostic.message = fmt::format(
          "the compiler failed on {}; please report it together with the source", source.name);
  }
  return diagnostic;
}

Diagnostic called_through_pointer(const Source& source, const std::string& symbol) {
  Diagnostic diagnostic;
  diagnostic.file = source.name;
  diagnostic.message =
      fmt::format("'{}' uses a thread attribute of program scope, but is called through a pointer",
                  in_metal_words(llvm::demangle(symbol)));
  diagnostic.fix = "give it what it needs as an argument";
  return diagnostic;
}

std::string to_bitcode(const llvm::Module& module) {
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::WriteBitcodeToFile(module, stream);
  return {buffer.data(), buffer.size()};
}

// Returns what this and earlier runs have found for the next one.
Repairs compile_once(const Source& source, const CompileOptions& options, Repairs repairs,
                     CompileResult& result) {
  llvm::LLVMContext context;
  // The precompiled library has chosen its math functions already: those that are not fast.
  bool use_precompiled =
      options.math_mode != MathMode::kFast && !precompiled_standard_library().empty();
  FrontEnd front_end(source, options, use_precompiled);
  front_end.set_repairs(std::move(repairs));
  clang::CompilerInstance& compiler = front_end.compiler();
  clang::CodeGenerator* generator = nullptr;
  KernelCollector* kernels = nullptr;
  auto make_consumer = [&]() -> std::unique_ptr<clang::ASTConsumer> {
    generator = clang::CreateLLVMCodeGen(
        compiler.getDiagnostics(), source.name, &compiler.getVirtualFileSystem(),
        compiler.getHeaderSearchOpts(), compiler.getPreprocessorOpts(), compiler.getCodeGenOpts(),
        context);
    auto collector = std::make_unique<KernelCollector>();
    kernels = collector.get();
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::move(collector));
    consumers.emplace_back(generator);
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  };
  Library library;
  std::vector<ThreadVariable> thread_variables;
  front_end.run(clang::TU_Complete, make_consumer, [&](const TokenPassResult& tokens) {
    if (front_end.failed()) return;
    kernels->describe(tokens.instantiations, *generator, library.kernels,
                      library.function_constants, thread_variables);
  });
  std::unique_ptr<llvm::Module> module(generator ? generator->ReleaseModule() : nullptr);
  result.diagnostics = front_end.take_diagnostics();
  if (!front_end.failed() && module) {
    strip_annotations(*module);
    for (const std::string& function :
         pass_thread_variables(*module, thread_variables, library.kernels)) {
      result.diagnostics.push_back(called_through_pointer(source, function));
    }
  }
  if (!front_end.failed() && module && !has_errors(result.diagnostics)) {
    add_ir_facts(*module, options.analyse_access, library.function_constants, library.kernels);
    library.bitcode = to_bitcode(*module);
    result.library = std::move(library);
  }
  result.files = front_end.take_file_uses();
  result.uses_clock = front_end.uses_clock();
  return front_end.repairs();
}

void compile_on_this_thread(const Source& source, const CompileOptions& options,
                            CompileResult& result) {
  // One repair inside of another shows up only once the inner one is made.
  constexpr int kMaxRuns = 8;
  Repairs repairs;
  CompileResult with_everything;  // before declarations were left out
  for (int run = 0; run < kMaxRuns; ++run) {
    const size_t known = repairs.count();
    const bool has_everything = repairs.left_out.empty();
    repairs = compile_once(source, options, std::move(repairs), result);
    if (result.library) return;
    if (has_everything) with_everything = result;
    if (repairs.needs_all) {
      result = std::move(with_everything);
      return;
    }
    if (repairs.count() == known) return;
  }
}

}  // namespace

const kernel::KernelInfo* Reflection::find_kernel(std::string_view name) const {
  auto found = std::ranges::find(kernels, name, &kernel::KernelInfo::name);
  return found == kernels.end() ? nullptr : &*found;
}

CompileResult compile(const Source& source, const CompileOptions& options) {
  CompileResult result;
  // Twice what the compilation watches itself, so that it can end cleanly first.
  GuardedLimits limits{2 * options.limits.seconds + 1, 2 * options.limits.memory_bytes};
  GuardedOutcome outcome =
      run_guarded([&] { compile_on_this_thread(source, options, result); }, limits);
  if (outcome != GuardedOutcome::kFinished) {
    result = {};
    result.diagnostics.push_back(stopped_diagnostic(source, options.limits, outcome));
  }
  return result;
}

std::string precompile_standard_library(std::string& error) {
  // An absolute name: clang would store the folder of this build otherwise, and look there later.
  Source source{std::string(kStandardLibraryFolder) + "/precompiled.metal",
                "#include <metal_stdlib>\n"};
  FrontEnd front_end(source, CompileOptions{}, /*use_precompiled=*/false);
  auto buffer = std::make_shared<clang::PCHBuffer>();
  clang::InMemoryModuleCache cache;
  front_end.run(
      clang::TU_Prefix,
      [&] {
        return std::make_unique<clang::PCHGenerator>(
            front_end.compiler().getPreprocessor(), cache, kPrecompiledPath, /*isysroot=*/"",
            buffer, llvm::ArrayRef<std::shared_ptr<clang::ModuleFileExtension>>(),
            /*AllowASTWithErrors=*/false, /*IncludeTimestamps=*/false);
      },
      [](const TokenPassResult&) {});
  error = render(front_end.take_diagnostics());
  if (front_end.failed() || !buffer->IsComplete) return {};
  return {buffer->Data.data(), buffer->Data.size()};
}

}  // namespace assay::msl
