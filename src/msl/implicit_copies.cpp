// See implicit_copies.h. What clang declares itself takes objects of the generic address space,
// that is, of every one but constant, and none that are volatile. The added members are implicit,
// defaulted and, unless a field's own copy has code of the user's, trivial: classes stay
// aggregates, and clang emits a plain memory copy for each use.
#include "msl/implicit_copies.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/Sema/Sema.h>

#include "msl/subobject_copies.h"

namespace assay::msl {
namespace {

using clang::LangAS;

// What a copy does. clang writes the one by members when it is used.
enum class Body { kMemory, kMembers };

class CopyBuilder {
 public:
  CopyBuilder(clang::Sema& sema, clang::CXXRecordDecl* record)
      : context_(sema.Context), record_(record), type_(context_.getTypeDeclType(record)) {}

  void add_constructor(LangAS space, clang::QualType source, Body body = Body::kMemory) {
    clang::DeclarationName name =
        context_.DeclarationNames.getCXXConstructorName(context_.getCanonicalType(type_));
    auto* constructor = clang::CXXConstructorDecl::Create(
        context_, record_, location(), {name, location()}, clang::QualType(), nullptr,
        clang::ExplicitSpecifier(), /*UsesFPIntrin=*/false, /*isInline=*/true,
        /*isImplicitlyDeclared=*/true, constexpr_kind(body));
    declare(constructor, context_.VoidTy, source, object(space).getQualifiers());
    define(constructor, body);
  }

  // `target`: the object's type, which tells its address space.
  void add_assignment(clang::QualType target, clang::QualType source, Body body = Body::kMemory) {
    clang::DeclarationName name = context_.DeclarationNames.getCXXOperatorName(clang::OO_Equal);
    auto* assignment = clang::CXXMethodDecl::Create(
        context_, record_, location(), {name, location()}, clang::QualType(), nullptr,
        clang::SC_None, /*UsesFPIntrin=*/false, /*isInline=*/true, constexpr_kind(body),
        clang::SourceLocation());
    assignment->setImplicit();
    declare(assignment, context_.getLValueReferenceType(target), source, target.getQualifiers());
    define(assignment, body);
  }

  // Makes a copy that clang has deleted one of the object's memory.
  void restore(clang::CXXMethodDecl* method) {
    method->setDeletedAsWritten(false);
    copy_memory(method);
  }

  clang::QualType object(LangAS space) const { return context_.getAddrSpaceQualType(type_, space); }
  clang::QualType reference(clang::QualType to) const {
    return context_.getLValueReferenceType(to);
  }
  clang::QualType rvalue(clang::QualType to) const { return context_.getRValueReferenceType(to); }

 private:
  clang::SourceLocation location() const { return record_->getLocation(); }

  static clang::ConstexprSpecKind constexpr_kind(Body body) {
    return body == Body::kMemory ? clang::ConstexprSpecKind::Constexpr
                                 : clang::ConstexprSpecKind::Unspecified;
  }

  void declare(clang::CXXMethodDecl* method, clang::QualType result, clang::QualType argument,
               clang::Qualifiers qualifiers) {
    clang::FunctionProtoType::ExtProtoInfo info;
    info.ExtInfo = info.ExtInfo.withCallingConv(context_.getDefaultCallingConvention(
        /*IsVariadic=*/false, /*IsCXXMethod=*/true));
    info.TypeQuals = qualifiers;
    info.ExceptionSpec.Type = clang::EST_BasicNoexcept;
    method->setType(context_.getFunctionType(result, argument, info));
    method->setParams(clang::ParmVarDecl::Create(
        context_, method, location(), location(), nullptr, argument,
        context_.getTrivialTypeSourceInfo(argument, location()), clang::SC_None, nullptr));
    method->setAccess(clang::AS_public);
    method->setDefaulted();
  }

  void define(clang::CXXMethodDecl* method, Body body) {
    if (body == Body::kMemory) {
      copy_memory(method);
    } else {
      method->setTrivial(false);
    }
    record_->addDecl(method);
  }

  void copy_memory(clang::CXXMethodDecl* method) {
    method->setTrivial(true);
    method->setTrivialForCall(true);
    // A body of its own keeps clang from writing one member by member, which it can only do within
    // one address space. Trivial copies never run it.
    method->setBody(clang::CompoundStmt::CreateEmpty(context_, 0, /*HasFPFeatures=*/false));
    method->setWillHaveBody(true);
  }

  clang::ASTContext& context_;
  clang::CXXRecordDecl* record_;
  clang::QualType type_;
};

bool has_own_copy_constructor(clang::CXXRecordDecl* record) {
  return record->hasUserDeclaredCopyConstructor() || record->hasUserDeclaredMoveConstructor();
}

bool has_own_assignment(clang::CXXRecordDecl* record) {
  return record->hasUserDeclaredCopyAssignment() || record->hasUserDeclaredMoveAssignment();
}

// Assignment from other types.
bool has_other_assignments(clang::CXXRecordDecl* record) {
  return llvm::any_of(record->decls(), [](const clang::Decl* member) {
    const clang::FunctionDecl* function = member->getAsFunction();
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
    return method != nullptr && method->isUserProvided() &&
           method->getOverloadedOperator() == clang::OO_Equal;
  });
}

// Gives back what clang has deleted only because of address spaces. False if the class has no such
// copy for another reason.
bool restore_copies(CopyBuilder& builder, clang::CXXRecordDecl* record, CopyKind kind) {
  clang::CXXMethodDecl* deleted = find_deleted_copy(*record, kind);
  const SubobjectCopies subobjects(*record, kind);
  if (deleted == nullptr) return true;
  if (!subobjects.exist()) return false;
  builder.restore(deleted);
  constexpr LangAS kChangeable[] = {LangAS::opencl_private, LangAS::opencl_global,
                                    LangAS::opencl_local};
  for (LangAS source : kChangeable) {
    const clang::QualType argument = builder.reference(builder.object(source).withConst());
    if (kind == CopyKind::kConstructor) {
      // An object is made in any kind of memory.
      if (subobjects.run_user_code({.target = LangAS::opencl_generic, .source = source})) {
        builder.add_constructor(LangAS::opencl_generic, argument, Body::kMembers);
      }
      continue;
    }
    for (LangAS target : kChangeable) {
      if (!subobjects.run_user_code({.target = target, .source = source})) continue;
      builder.add_assignment(builder.object(target), argument, Body::kMembers);
    }
  }
  return true;
}

void add_assignments(CopyBuilder& builder, clang::CXXRecordDecl* record) {
  clang::QualType generic = builder.object(LangAS::opencl_generic);
  clang::QualType constant = builder.object(LangAS::opencl_constant).withConst();
  builder.add_assignment(generic, builder.reference(constant));
  clang::QualType volatile_source = builder.reference(generic.withConst().withVolatile());
  builder.add_assignment(generic, volatile_source);
  for (clang::QualType source :
       {builder.reference(constant), volatile_source, builder.reference(generic.withConst())}) {
    builder.add_assignment(generic.withVolatile(), source);
  }
  if (!has_other_assignments(record)) return;
  // Beside an assignment for objects of one address space, clang's own would be the better choice
  // for the value and the worse one for the object.
  for (LangAS space : {LangAS::opencl_private, LangAS::opencl_global, LangAS::opencl_local}) {
    builder.add_assignment(builder.object(space), builder.reference(generic.withConst()));
    builder.add_assignment(builder.object(space), builder.rvalue(generic));
  }
}

}  // namespace

void ImplicitCopies::CompletedTagDefinition(const clang::TagDecl* declaration) {
  // The class is about to be used, and nobody has seen it yet.
  auto* record =
      const_cast<clang::CXXRecordDecl*>(llvm::dyn_cast<clang::CXXRecordDecl>(declaration));
  if (record == nullptr || record->isInvalidDecl() || record->isDependentType() ||
      record->isLambda()) {
    return;
  }
  sema_.ForceDeclarationOfImplicitMembers(record);
  CopyBuilder builder(sema_, record);
  if (!has_own_copy_constructor(record) &&
      restore_copies(builder, record, CopyKind::kConstructor)) {
    clang::QualType generic = builder.object(LangAS::opencl_generic);
    clang::QualType constant =
        builder.reference(builder.object(LangAS::opencl_constant).withConst());
    builder.add_constructor(LangAS::opencl_generic, constant);
    builder.add_constructor(LangAS::opencl_generic,
                            builder.reference(generic.withConst().withVolatile()));
    // constant T b = a; at program scope. Static members that get their value outside of their
    // class are in no constant memory here (variable_tokens.cpp).
    builder.add_constructor(LangAS::opencl_constant, constant);
    builder.add_constructor(LangAS::opencl_constant, builder.reference(generic.withConst()));
  }
  if (!has_own_assignment(record) && restore_copies(builder, record, CopyKind::kAssignment)) {
    add_assignments(builder, record);
  }
}

}  // namespace assay::msl
