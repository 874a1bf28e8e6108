// Metal copies objects of a class out of constant memory and out of volatile objects like out of
// any other; the base language does not. Every class gets the copy constructor and assignment that
// are missing.
#pragma once

#include <clang/AST/ASTMutationListener.h>
#include <clang/Sema/Sema.h>

namespace assay::msl {

// The listener of the tree: told of a class before the bodies of its methods are read, which may
// copy its objects.
class ImplicitCopies final : public clang::ASTMutationListener {
 public:
  explicit ImplicitCopies(clang::Sema& sema) : sema_(sema) {}

  void CompletedTagDefinition(const clang::TagDecl* declaration) override;

 private:
  clang::Sema& sema_;
};

}  // namespace assay::msl
