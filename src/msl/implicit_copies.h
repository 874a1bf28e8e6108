// Metal copies objects of a class out of constant memory and out of volatile objects like out of
// any other; the base language does not. This consumer gives every class the copy constructor and
// assignment that are missing.
#pragma once

#include <clang/Sema/SemaConsumer.h>

namespace assay::msl {

class ImplicitCopies final : public clang::SemaConsumer {
 public:
  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }
  void HandleTagDeclDefinition(clang::TagDecl* declaration) override;

 private:
  clang::Sema* sema_ = nullptr;
};

}  // namespace assay::msl
