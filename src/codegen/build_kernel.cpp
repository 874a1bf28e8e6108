// One build from bitcode to image: load, passes, machine code.
#include "codegen/build_kernel.h"

#include <chrono>

#include "codegen/cpu/emit_object.h"
#include "codegen/cpu/target.h"
#include "codegen/intrinsics.h"
#include "codegen/kernel_build.h"
#include "codegen/llvm_pipeline.h"
#include "codegen/load_module.h"
#include "codegen/pass_list.h"
#include "codegen/passes/build_entry.h"
#include "fmt/format.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"

namespace assay::codegen {
namespace {

// Keeps LLVM from printing; the first error fails the build.
class DiagnosticCollector final : public llvm::DiagnosticHandler {
 public:
  explicit DiagnosticCollector(std::string& first_error) : first_error_(first_error) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo& diagnostic) override {
    if (diagnostic.getSeverity() == llvm::DS_Error && first_error_.empty()) {
      llvm::raw_string_ostream stream(first_error_);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      diagnostic.print(printer);
    }
    return true;
  }

 private:
  std::string& first_error_;
};

class Stopwatch {
 public:
  Stopwatch(std::vector<PassTiming>& timings) : timings_(timings) {}

  void record(const char* name) {
    auto now = std::chrono::steady_clock::now();
    timings_.push_back({name, std::chrono::duration<double>(now - start_).count()});
    start_ = now;
  }
  void restart() { start_ = std::chrono::steady_clock::now(); }

 private:
  std::vector<PassTiming>& timings_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Result<void> emit(KernelBuild& build, BuildOutput& output) {
  if (build.options.keep_ir) {
    llvm::raw_string_ostream stream(output.ir);
    build.module.print(stream, nullptr);
  }
  if (build.options.emit_assembly) {
    Result<std::string> assembly = cpu::emit_assembly(build);
    if (!assembly) return assembly.error();
    output.assembly = std::move(*assembly);
  }
  Result<std::vector<uint8_t>> object = cpu::emit_object(build);
  if (!object) return object.error();
  output.image.object = std::move(*object);
  return {};
}

// Everything that is built from.
struct BuildInput {
  std::string_view bitcode;
  const kernel::KernelInfo& info;
  std::span<const kernel::FunctionConstant> constants;
  std::span<const ConstantValue> values;
};

uint64_t count_instructions(const llvm::Module& module) {
  uint64_t instructions = 0;
  for (const llvm::Function& function : module) instructions += function.getInstructionCount();
  return instructions;
}

// Why the vector executor does not take what the passes made; empty if it does.
std::string reason_to_fall_back(const KernelBuild& build, const Result<void>& run) {
  if (build.options.executor != kernel::Executor::kVector) return {};
  if (!build.fallback_reason.empty()) return build.fallback_reason;
  if (!run) {
    const Result<void> limits = build.check_limits();
    return limits ? std::string() : "code for 32 threads at once goes beyond the limits of a build";
  }
  if (count_instructions(build.module) <= build.options.vector_instruction_limit) return {};
  return build.size_reason();
}

Result<BuildOutput> build(const BuildInput& input, const BuildOptions& options,
                          bool keeps_variables) {
  const auto& [bitcode, info, constants, values] = input;
  BuildOutput output;
  Stopwatch stopwatch(output.timings);
  auto deadline = base::ThreadCpuClock::after(options.time_limit_s);
  std::string llvm_error;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<DiagnosticCollector>(llvm_error));

  Result<std::unique_ptr<llvm::TargetMachine>> machine = cpu::create_target_machine(options);
  if (!machine) return machine.error();
  LlvmPipeline pipeline(**machine,
                        {.optimisation = options.optimisation,
                         .keeps_variables = keeps_variables,
                         .is_checked = options.checked},
                        deadline);
  stopwatch.record("set-up");
  Result<LoadedModule> loaded =
      load_module(bitcode, info, constants, context, options.checked || options.debug);
  if (!loaded) return loaded.error();
  loaded->module->setTargetTriple((*machine)->getTargetTriple().str());
  loaded->module->setDataLayout((*machine)->createDataLayout());
  loaded->module->setPICLevel(llvm::PICLevel::BigPIC);
  stopwatch.record("load");

  KernelBuild build{.module = *loaded->module,
                    .target = **machine,
                    .pipeline = pipeline,
                    .options = options,
                    .info = info,
                    .constants = constants,
                    .values = values,
                    .initialisers = std::move(loaded->initialisers),
                    .kernel = loaded->kernel,
                    .deadline = deadline};
  // Whatever of it is never reached is gone.
  const llvm::Function* print = build.module.getFunction(kPrintName);
  output.image.prints = print != nullptr && !print->use_empty();
  Result<void> run = run_passes(build, cpu_passes(options.executor), output.timings);
  if (const std::string reason = reason_to_fall_back(build, run); !reason.empty()) {
    BuildOptions reference = options;
    reference.executor = kernel::Executor::kReference;
    Result<BuildOutput> again = codegen::build(input, reference, keeps_variables);
    if (again) again->image.fallback_reason = reason;
    return again;
  }
  if (!run) return run.error();
  stopwatch.restart();
  if (Result<void> emitted = emit(build, output); !emitted) return emitted.error();
  if (!llvm_error.empty()) return build.internal_error(llvm_error);
  stopwatch.record("emit");

  output.image.format = kernel::ImageFormat::kElfObject;
  output.image.form = build.form;
  output.image.executor = options.executor;
  output.image.target_cpu = cpu::describe_target(**machine);
  output.image.entry_symbol = kEntrySymbol;
  output.image.info = std::move(build.info);
  output.image.checks = std::move(build.checks);
  return output;
}

}  // namespace

Result<BuildOutput> build_cpu_kernel(std::string_view bitcode, const kernel::KernelInfo& info,
                                     std::span<const kernel::FunctionConstant> constants,
                                     std::span<const ConstantValue> values,
                                     const BuildOptions& options) {
  const BuildInput input{bitcode, info, constants, values};
  Result<BuildOutput> output = build(input, options, options.debug);
  // Some code, such as calls through pointers, can only be built once variables are values.
  if (!output && options.debug) return build(input, options, /*keeps_variables=*/false);
  return output;
}

}  // namespace assay::codegen
