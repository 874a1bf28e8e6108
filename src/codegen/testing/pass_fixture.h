// Runs single passes over textual IR in tests.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codegen/cpu/target.h"
#include "codegen/kernel_build.h"
#include "codegen/llvm_pipeline.h"
#include "codegen/load_module.h"
#include "codegen/pass_list.h"
#include "codegen/testing/build_text.h"

namespace assay::codegen::testing {

// A kernel "k" loaded from `text`, ready for passes.
class PassFixture {
 public:
  explicit PassFixture(const std::string& text, kernel::KernelInfo info = kernel_info({}),
                       std::vector<kernel::FunctionConstant> constants = {},
                       std::vector<ConstantValue> values = {})
      : bitcode_(to_bitcode(text)),
        constants_(std::move(constants)),
        values_(std::move(values)),
        target_(std::move(*cpu::create_target_machine(options_))),
        pipeline_(*target_, {.optimisation = options_.optimisation, .is_checked = true},
                  base::ThreadCpuClock::time_point::max()) {
    options_.verify = true;
    Result<LoadedModule> loaded = load_module(bitcode_, info, constants_, context_);
    if (!loaded) throw std::runtime_error(loaded.error().message);
    module_ = std::move(loaded->module);
    module_->setDataLayout(target_->createDataLayout());
    build_.reset(new KernelBuild{.module = *module_,
                                 .target = *target_,
                                 .pipeline = pipeline_,
                                 .options = options_,
                                 .info = std::move(info),
                                 .constants = constants_,
                                 .values = values_,
                                 .initialisers = std::move(loaded->initialisers),
                                 .kernel = loaded->kernel});
  }

  KernelBuild& build() { return *build_; }
  llvm::Module& module() { return *module_; }
  BuildOptions& options() { return options_; }

  // The error text, or empty. The IR is verified after each pass.
  std::string run(std::vector<Pass> passes) {
    std::vector<PassTiming> timings;
    Result<void> result = run_passes(*build_, passes, timings);
    return result ? std::string() : result.error().message;
  }

  // All passes of the reference pipeline before the one of this name.
  std::string run_until(const std::string& name) {
    std::vector<Pass> passes;
    for (const Pass& pass : cpu_passes(kernel::Executor::kReference)) {
      if (pass.name == name) return run(passes);
      passes.push_back(pass);
    }
    return "there is no pass '" + name + "'";
  }

  std::string text() const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module_->print(stream, nullptr);
    return text;
  }

 private:
  std::string bitcode_;
  BuildOptions options_;
  std::vector<kernel::FunctionConstant> constants_;
  std::vector<ConstantValue> values_;
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::TargetMachine> target_;
  LlvmPipeline pipeline_;
  std::unique_ptr<llvm::Module> module_;
  std::unique_ptr<KernelBuild> build_;
};

}  // namespace assay::codegen::testing
