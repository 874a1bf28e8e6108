// See subobject_copies.h.
#include "msl/subobject_copies.h"

#include <algorithm>

namespace assay::msl {
namespace {

using clang::LangAS;

bool is_copy(const clang::CXXMethodDecl& method, CopyKind kind) {
  if (kind == CopyKind::kAssignment) return method.isCopyAssignmentOperator();
  const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&method);
  return constructor != nullptr && constructor->isCopyConstructor();
}

bool can_be_used(const clang::CXXMethodDecl& method, CopyKind kind) {
  return is_copy(method, kind) && !method.isDeleted() && method.getAccess() == clang::AS_public;
}

bool takes(LangAS wanted, LangAS given) {
  return wanted == given || (wanted == LangAS::opencl_generic && given != LangAS::opencl_constant);
}

bool fits(const clang::CXXMethodDecl& method, CopySpaces spaces) {
  const clang::QualType parameter = method.getParamDecl(0)->getType();
  const bool is_value = !parameter->isReferenceType();
  return takes(method.getMethodQualifiers().getAddressSpace(), spaces.target) &&
         (is_value || takes(parameter.getNonReferenceType().getAddressSpace(), spaces.source));
}

template <typename Predicate>
bool has_copy(const clang::CXXRecordDecl& record, CopyKind kind, Predicate predicate) {
  return llvm::any_of(record.methods(), [&](const clang::CXXMethodDecl* method) {
    return can_be_used(*method, kind) && predicate(*method);
  });
}

const clang::CXXRecordDecl* class_of(clang::QualType type) {
  return type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
}

}  // namespace

template <typename Predicate>
bool SubobjectCopies::all_classes(Predicate predicate) const {
  auto is_fine = [&](clang::QualType type) {
    const clang::CXXRecordDecl* inner = class_of(type);
    return inner == nullptr || predicate(*inner);
  };
  return llvm::all_of(record_.bases(), [&](const auto& base) { return is_fine(base.getType()); }) &&
         llvm::all_of(record_.fields(),
                      [&](const auto* field) { return is_fine(field->getType()); });
}

bool SubobjectCopies::exist() const {
  const bool can_change =
      kind_ == CopyKind::kConstructor ||
      llvm::none_of(record_.fields(), [](const clang::FieldDecl* field) {
        const clang::QualType type = field->getType();
        return type->isReferenceType() ||
               field->getASTContext().getBaseElementType(type).isConstQualified();
      });
  return can_change && all_classes([&](const clang::CXXRecordDecl& inner) {
           return has_copy(inner, kind_, [&](const clang::CXXMethodDecl& method) {
             return !record_.isUnion() || method.isTrivial();
           });
         });
}

bool SubobjectCopies::run_user_code(CopySpaces spaces) const {
  bool has_user_code = false;
  const bool all_fit = all_classes([&](const clang::CXXRecordDecl& inner) {
    has_user_code |= has_copy(inner, kind_, [&](const clang::CXXMethodDecl& method) {
      return fits(method, spaces) && !method.isTrivial();
    });
    return has_copy(inner, kind_,
                    [&](const clang::CXXMethodDecl& method) { return fits(method, spaces); });
  });
  return all_fit && has_user_code;
}

clang::CXXMethodDecl* find_deleted_copy(clang::CXXRecordDecl& record, CopyKind kind) {
  auto found = llvm::find_if(record.methods(), [&](const clang::CXXMethodDecl* method) {
    return is_copy(*method, kind) && method->isImplicit() && method->isDeleted();
  });
  return found == record.methods().end() ? nullptr : *found;
}

}  // namespace assay::msl
