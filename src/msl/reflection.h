// Reads kernels, function constants and thread attributes off clang's AST. Runs beside the IR
// generator: clang hands it each declaration as it becomes complete.
#pragma once

#include <clang/AST/ASTConsumer.h>

#include <vector>

#include "kernel/kernel_info.h"
#include "msl/thread_variables.h"
#include "msl/token_pass.h"

namespace clang {
class CodeGenerator;
class FunctionDecl;
class Sema;
class VarDecl;
}  // namespace clang

namespace assay::msl {

class KernelCollector final : public clang::ASTConsumer {
 public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;

  // After the whole file is parsed. Mistakes in a kernel's parameters are reported through the
  // declarations' diagnostics engine.
  void describe(const std::vector<KernelInstantiation>& instantiations,
                clang::CodeGenerator& generator, std::vector<kernel::KernelInfo>& kernels,
                std::vector<kernel::FunctionConstant>& constants,
                std::vector<ThreadVariable>& thread_variables);

 private:
  void visit(clang::Decl* declaration);

  std::vector<clang::FunctionDecl*> kernels_;
  std::vector<clang::VarDecl*> constants_;
  std::vector<clang::VarDecl*> thread_variables_;
  std::vector<clang::VarDecl*> defined_flags_;  // "was this function constant given a value?"
};

}  // namespace assay::msl
