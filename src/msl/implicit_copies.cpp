// See implicit_copies.h. What clang declares itself takes objects of the generic address space,
// that is, of every one but constant, and none that are volatile. The added members are implicit,
// defaulted and trivial: classes stay aggregates, and clang emits a plain memory copy for each use.
#include "msl/implicit_copies.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/Sema/Sema.h>

namespace assay::msl {
namespace {

using clang::LangAS;

class CopyBuilder {
 public:
  CopyBuilder(clang::Sema& sema, clang::CXXRecordDecl* record)
      : context_(sema.Context), record_(record), type_(context_.getTypeDeclType(record)) {}

  void add_constructor(LangAS space, clang::QualType source) {
    clang::DeclarationName name =
        context_.DeclarationNames.getCXXConstructorName(context_.getCanonicalType(type_));
    auto* constructor = clang::CXXConstructorDecl::Create(
        context_, record_, location(), {name, location()}, clang::QualType(), nullptr,
        clang::ExplicitSpecifier(), /*UsesFPIntrin=*/false, /*isInline=*/true,
        /*isImplicitlyDeclared=*/true, clang::ConstexprSpecKind::Constexpr);
    finish(constructor, context_.VoidTy, source, object(space).getQualifiers());
  }

  // `target`: the object's type, which tells its address space.
  void add_assignment(clang::QualType target, clang::QualType source) {
    clang::DeclarationName name = context_.DeclarationNames.getCXXOperatorName(clang::OO_Equal);
    auto* assignment = clang::CXXMethodDecl::Create(
        context_, record_, location(), {name, location()}, clang::QualType(), nullptr,
        clang::SC_None, /*UsesFPIntrin=*/false, /*isInline=*/true,
        clang::ConstexprSpecKind::Constexpr, clang::SourceLocation());
    assignment->setImplicit();
    finish(assignment, context_.getLValueReferenceType(target), source, target.getQualifiers());
  }

  clang::QualType object(LangAS space) const { return context_.getAddrSpaceQualType(type_, space); }
  clang::QualType reference(clang::QualType to) const {
    return context_.getLValueReferenceType(to);
  }
  clang::QualType rvalue(clang::QualType to) const { return context_.getRValueReferenceType(to); }

 private:
  clang::SourceLocation location() const { return record_->getLocation(); }

  void finish(clang::CXXMethodDecl* method, clang::QualType result, clang::QualType argument,
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
    method->setTrivial(true);
    method->setTrivialForCall(true);
    // A body of its own keeps clang from writing one member by member, which it can only do within
    // one address space. Trivial copies never run it.
    method->setBody(clang::CompoundStmt::CreateEmpty(context_, 0, /*HasFPFeatures=*/false));
    method->setWillHaveBody(true);
    record_->addDecl(method);
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
  return llvm::any_of(record->methods(), [](const clang::CXXMethodDecl* method) {
    return method->isUserProvided() && method->getOverloadedOperator() == clang::OO_Equal;
  });
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

void ImplicitCopies::HandleTagDeclDefinition(clang::TagDecl* declaration) {
  auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(declaration);
  if (sema_ == nullptr || record == nullptr || record->isInvalidDecl() ||
      record->isDependentType() || record->isLambda() || !record->isCompleteDefinition()) {
    return;
  }
  sema_->ForceDeclarationOfImplicitMembers(record);
  CopyBuilder builder(*sema_, record);
  if (!has_own_copy_constructor(record)) {
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
  if (!has_own_assignment(record)) add_assignments(builder, record);
}

}  // namespace assay::msl
