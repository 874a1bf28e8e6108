// How the bases and fields of a class are copied. clang declares a class's own copies for objects
// outside of every address space; where a field's are for thread objects only, or there is one for
// each kind of memory, it finds none or several and deletes the class's.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace assay::msl {

enum class CopyKind { kConstructor, kAssignment };

// An object of address space `source` into one of `target`.
struct CopySpaces {
  clang::LangAS target;
  clang::LangAS source;
};

class SubobjectCopies {
 public:
  SubobjectCopies(const clang::CXXRecordDecl& record, CopyKind kind)
      : record_(record), kind_(kind) {}

  // Whether each of them can be copied at all, from some address space to some.
  bool exist() const;
  // Whether each of them can be copied this way, and one of them by a function of the user's.
  bool run_user_code(CopySpaces spaces) const;

 private:
  template <typename Predicate>
  bool all_classes(Predicate predicate) const;

  const clang::CXXRecordDecl& record_;
  CopyKind kind_;
};

// The copy that clang has declared and deleted; null if there is none.
clang::CXXMethodDecl* find_deleted_copy(clang::CXXRecordDecl& record, CopyKind kind);

}  // namespace assay::msl
