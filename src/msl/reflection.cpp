// See reflection.h.
#include "msl/reflection.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/GlobalDecl.h>
#include <clang/Basic/SourceManager.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "kernel/cpu_abi.h"
#include "msl/metal_words.h"
#include "msl/thread_attributes.h"

namespace assay::msl {
namespace {

using kernel::AddressSpace;
using kernel::Argument;
using kernel::ArgumentKind;

const clang::AnnotateAttr* find_annotation(const clang::Decl* declaration, std::string_view name) {
  std::string full = std::string(kAnnotationPrefix) + std::string(name);
  for (const auto* annotation : declaration->specific_attrs<clang::AnnotateAttr>()) {
    if (annotation->getAnnotation() == full) return annotation;
  }
  return nullptr;
}

std::optional<uint32_t> integer_argument(const clang::AnnotateAttr* annotation,
                                         const clang::ASTContext& context) {
  if (annotation == nullptr || annotation->args_size() == 0) return std::nullopt;
  const clang::Expr* expression = *annotation->args_begin();
  if (expression->isValueDependent()) return std::nullopt;
  clang::Expr::EvalResult result;
  if (!expression->EvaluateAsInt(result, context)) return std::nullopt;
  return static_cast<uint32_t>(result.Val.getInt().getLimitedValue(UINT32_MAX));
}

std::optional<std::string> string_argument(const clang::AnnotateAttr* annotation) {
  if (annotation == nullptr || annotation->args_size() == 0) return std::nullopt;
  const clang::Expr* expression = (*annotation->args_begin())->IgnoreParenImpCasts();
  if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(expression)) {
    expression = constant->getSubExpr()->IgnoreParenImpCasts();
  }
  const auto* literal = llvm::dyn_cast<clang::StringLiteral>(expression);
  return literal ? std::optional(literal->getString().str()) : std::nullopt;
}

// "const constant unsigned char *" → "constant uchar*", as people write it.
std::string as_written(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"const constant ", "constant "},
      {"unsigned char", "uchar"},
      {"unsigned short", "ushort"},
      {"unsigned int", "uint"},
      {"unsigned long", "ulong"},
      {"signed char", "char"},
      {" *", "*"},
      {" &", "&"}};
  for (const auto& [from, to] : kWords) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from)) {
      text.replace(at, from.size(), to);
    }
  }
  return text;
}

std::string written_type(clang::QualType type, const clang::ASTContext& context) {
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.FullyQualifiedName = false;
  return as_written(in_metal_words(type.getUnqualifiedType().getAsString(policy)));
}

AddressSpace address_space_of(clang::LangAS space) {
  switch (space) {
    case clang::LangAS::opencl_global: return AddressSpace::kDevice;
    case clang::LangAS::opencl_constant: return AddressSpace::kConstant;
    case clang::LangAS::opencl_local: return AddressSpace::kThreadgroup;
    default: return AddressSpace::kThread;
  }
}

// Number and size of the components of `uint`, `ushort3`, …; nothing for other types.
struct AttributeShape {
  uint32_t components = 1;
  uint32_t component_bytes = 4;
};

std::optional<AttributeShape> attribute_shape(clang::QualType type,
                                              const clang::ASTContext& context) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (type->isIntegerType() && !type->isBooleanType()) {
    auto bytes = static_cast<uint32_t>(context.getTypeSizeInChars(type).getQuantity());
    return AttributeShape{1, bytes};
  }
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record == nullptr || record->getName() != "vec") return std::nullopt;
  AttributeShape shape{0, 0};
  for (const clang::FieldDecl* field : record->fields()) {
    if (!field->getType()->isIntegerType()) return std::nullopt;
    ++shape.components;
    shape.component_bytes =
        static_cast<uint32_t>(context.getTypeSizeInChars(field->getType()).getQuantity());
  }
  return shape.components > 0 ? std::optional(shape) : std::nullopt;
}

void report_error(const clang::Decl* declaration, const std::string& text) {
  clang::DiagnosticsEngine& diagnostics = declaration->getASTContext().getDiagnostics();
  diagnostics.Report(declaration->getLocation(),
                     diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0"))
      << text;
}

// Null for what is no parameter or variable with such an attribute.
const NamedThreadAttribute* find_thread_attribute(const clang::VarDecl* variable) {
  for (const NamedThreadAttribute& known : kThreadAttributeNames) {
    if (find_annotation(variable, known.name)) return &known;
  }
  return nullptr;
}

Argument describe_attribute(const clang::VarDecl* variable, const NamedThreadAttribute& known) {
  Argument argument;
  argument.name = variable->getNameAsString();
  argument.type = written_type(variable->getType(), variable->getASTContext());
  argument.kind = ArgumentKind::kThreadAttribute;
  argument.attribute = known.attribute;
  argument.address_space = AddressSpace::kThread;
  std::optional<AttributeShape> shape =
      attribute_shape(variable->getType(), variable->getASTContext());
  const bool fits = shape && shape->components <= known.most_components &&
                    (shape->component_bytes == 2 || shape->component_bytes == 4);
  if (fits) {
    argument.components = shape->components;
    argument.component_bytes = shape->component_bytes;
  } else {
    const char* kind = llvm::isa<clang::ParmVarDecl>(variable) ? "parameter" : "variable";
    const char* vectors = known.most_components > 1 ? ", or a vector of two or three" : "";
    report_error(variable, fmt::format("{} '{}' with [[{}]] must be a uint or ushort{}, not '{}'",
                                       kind, argument.name, known.name, vectors, argument.type));
  }
  return argument;
}

// Metal has vertex fetching and tessellation in compute kernels, too.
std::string describe_unknown_attribute(const std::string& parameter, const std::string& attribute) {
  constexpr std::string_view kStageInputs[] = {"stage_in", "stage_in_grid_origin",
                                               "stage_in_grid_size"};
  const bool is_stage_input = llvm::is_contained(kStageInputs, attribute);
  const std::string begin = "kernel parameter '" + parameter;
  if (is_stage_input) {
    return begin + "' is unavailable: stage inputs ([[" + attribute +
           "]]) are not supported by assay";
  }
  return begin + "': [[" + attribute + "]] is not an attribute of parameters of compute kernels";
}

class KernelDescriber {
 public:
  KernelDescriber(const clang::FunctionDecl* function, clang::CodeGenerator& generator)
      : function_(function), context_(function->getASTContext()), generator_(generator) {}

  kernel::KernelInfo describe(std::optional<std::string> host_name) {
    kernel::KernelInfo info;
    info.name = host_name.value_or(default_name());
    info.symbol = generator_.GetMangledName(clang::GlobalDecl(function_)).str();
    const clang::SourceManager& sources = context_.getSourceManager();
    clang::PresumedLoc place = sources.getPresumedLoc(sources.getFileLoc(function_->getLocation()));
    if (place.isValid()) {
      info.file = place.getFilename();
      info.line = place.getLine();
    }
    if (auto limit = integer_argument(
            find_annotation(function_, "max_total_threads_per_threadgroup"), context_)) {
      info.max_total_threads_per_threadgroup = *limit;
    }
    if (!function_->getReturnType()->isVoidType()) {
      report_error(function_, "kernel '" + info.name + "' must return void, not '" +
                                  written_type(function_->getReturnType(), context_) + "'");
    }
    reserve_written_slots();
    for (const clang::ParmVarDecl* parameter : function_->parameters()) {
      info.arguments.push_back(describe_parameter(parameter));
    }
    return info;
  }

 private:
  std::string default_name() const {
    if (auto name = string_argument(find_annotation(function_, "host_name"))) return *name;
    std::string name;
    llvm::raw_string_ostream stream(name);
    function_->getNameForDiagnostic(stream, clang::PrintingPolicy(context_.getLangOpts()),
                                    /*Qualified=*/false);
    return in_metal_words(name);
  }

  // Slots written in the source are taken before the others are counted up from 0.
  void reserve_written_slots() {
    for (const clang::ParmVarDecl* parameter : function_->parameters()) {
      for (auto& [word, slots] : used_slots_) {
        if (auto slot = integer_argument(find_annotation(parameter, word), context_)) {
          slots.insert(*slot);
        }
      }
    }
  }

  Argument describe_parameter(const clang::ParmVarDecl* parameter) {
    if (const NamedThreadAttribute* attribute = find_thread_attribute(parameter)) {
      Argument argument = describe_attribute(parameter, *attribute);
      argument.present_if = string_argument(find_annotation(parameter, "function_constant"));
      return argument;
    }
    Argument argument;
    argument.name = parameter->getNameAsString();
    argument.type = written_type(parameter->getType(), context_);
    argument.present_if = string_argument(find_annotation(parameter, "function_constant"));
    clang::QualType type = parameter->getType();
    // Clang looks at types by name only, and no name says which kind of tensor this is.
    std::string unavailable;
    const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (record && record->isUnavailable(&unavailable)) {
      report_error(parameter, "kernel parameter '" + argument.name + "': " + unavailable);
      return argument;
    }
    if (!type->isPointerType() && !type->isReferenceType()) {
      if (auto unknown = string_argument(find_annotation(parameter, kUnknownAttribute))) {
        report_error(parameter, describe_unknown_attribute(argument.name, *unknown));
        return argument;
      }
      report_error(parameter,
                   "kernel parameter '" + argument.name + "' of type '" + argument.type +
                       "' needs an attribute such as [[thread_position_in_grid]], or must be a "
                       "constant reference: constant " +
                       argument.type + "& " + argument.name);
      return argument;
    }
    describe_memory(parameter, argument);
    return argument;
  }

  void describe_memory(const clang::ParmVarDecl* parameter, Argument& argument) {
    clang::QualType pointee = parameter->getType()->getPointeeType();
    argument.address_space = address_space_of(pointee.getAddressSpace());
    argument.is_reference = parameter->getType()->isReferenceType();
    bool is_threadgroup = argument.address_space == AddressSpace::kThreadgroup;
    argument.kind = is_threadgroup ? ArgumentKind::kThreadgroupMemory : ArgumentKind::kBuffer;
    if (argument.address_space == AddressSpace::kThread) {
      report_error(parameter,
                   "pointer parameter '" + argument.name +
                       "' of a kernel needs an address space: device, constant or threadgroup");
      return;
    }
    std::string word = is_threadgroup ? "threadgroup" : "buffer";
    if (auto slot = integer_argument(find_annotation(parameter, word), context_)) {
      argument.slot = *slot;
      check_slot(parameter, word, argument);
    } else {
      argument.slot = next_free_slot(word);
    }
    bool is_const = pointee.isConstQualified() || argument.address_space == AddressSpace::kConstant;
    argument.access = is_const ? kernel::Access::kRead : kernel::Access::kReadWrite;
    if (!pointee->isIncompleteType() && !pointee->isFunctionType()) {
      argument.element_bytes =
          static_cast<uint64_t>(context_.getTypeSizeInChars(pointee).getQuantity());
      argument.element_alignment =
          static_cast<uint64_t>(context_.getTypeAlignInChars(pointee).getQuantity());
    }
  }

  void check_slot(const clang::ParmVarDecl* parameter, const std::string& word,
                  const Argument& argument) {
    uint32_t limit = word == "buffer" ? kernel::kMaxBufferSlots : kernel::kMaxThreadgroupSlots;
    if (argument.slot >= limit) {
      report_error(parameter, "[[" + word + "(" + std::to_string(argument.slot) +
                                  ")]]: the index must be below " + std::to_string(limit));
    }
    // Optional parameters may share a slot: only one of them exists in a built kernel.
    auto [it, is_new] =
        taken_slots_[word].try_emplace(argument.slot, argument.present_if.has_value());
    if (!is_new && !(it->second && argument.present_if)) {
      report_error(parameter, "[[" + word + "(" + std::to_string(argument.slot) +
                                  ")]] is used by two parameters of kernel '" +
                                  function_->getNameAsString() + "'");
    }
  }

  uint32_t next_free_slot(const std::string& word) {
    uint32_t slot = 0;
    while (used_slots_[word].contains(slot)) ++slot;
    used_slots_[word].insert(slot);
    return slot;
  }

  const clang::FunctionDecl* function_;
  const clang::ASTContext& context_;
  clang::CodeGenerator& generator_;
  std::map<std::string, std::set<uint32_t>> used_slots_ = {{"buffer", {}}, {"threadgroup", {}}};
  std::map<std::string, std::map<uint32_t, bool>> taken_slots_;
};

// The base language has variables in device memory that all kernels share; Metal has none.
void refuse_mutable(const clang::VarDecl* variable) {
  const clang::QualType type = variable->getASTContext().getBaseElementType(variable->getType());
  if (type.isConstQualified() || type->isReferenceType() || type->isDependentType() ||
      type.getAddressSpace() == clang::LangAS::opencl_constant) {
    return;
  }
  report_error(variable, "program scope variable '" + variable->getNameAsString() +
                             "' must be in constant memory");
}

}  // namespace

bool KernelCollector::HandleTopLevelDecl(clang::DeclGroupRef group) {
  for (clang::Decl* declaration : group) visit(declaration);
  return true;
}

void KernelCollector::visit(clang::Decl* declaration) {
  if (auto* scope = llvm::dyn_cast<clang::NamespaceDecl>(declaration)) {
    for (clang::Decl* inner : scope->decls()) visit(inner);
  } else if (auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(declaration)) {
    for (clang::Decl* inner : linkage->decls()) visit(inner);
  } else if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
    bool is_kernel = find_annotation(function, "kernel") && !function->isDependentContext() &&
                     function->isThisDeclarationADefinition() && !function->isInvalidDecl();
    if (!is_kernel || std::ranges::find(kernels_, function) != kernels_.end()) return;
    // Keeps static and inline kernels, which nothing in the file calls.
    function->addAttr(clang::UsedAttr::CreateImplicit(function->getASTContext()));
    kernels_.push_back(function);
  } else if (auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
    if (find_annotation(variable, "function_constant")) {
      constants_.push_back(variable);
    } else if (variable->getName().starts_with(kDefinedPrefix)) {
      defined_flags_.push_back(variable);
    } else if (find_thread_attribute(variable)) {
      // The token pass has made declarations of all others.
      if (variable->isThisDeclarationADefinition()) {
        report_error(variable, "the attribute gives '" + variable->getNameAsString() +
                                   "' its value: remove the initialiser");
      }
      thread_variables_.push_back(variable);
    } else {
      refuse_mutable(variable);
    }
  }
}

void KernelCollector::describe(const std::vector<KernelInstantiation>& instantiations,
                               clang::CodeGenerator& generator,
                               std::vector<kernel::KernelInfo>& kernels,
                               std::vector<kernel::FunctionConstant>& constants,
                               std::vector<ThreadVariable>& thread_variables) {
  std::map<clang::SourceLocation, const KernelInstantiation*> by_location;
  for (const KernelInstantiation& instantiation : instantiations) {
    by_location[instantiation.name_location] = &instantiation;
  }
  std::map<std::string, const clang::FunctionDecl*> by_name;
  for (const clang::FunctionDecl* function : kernels_) {
    std::optional<std::string> host_name;
    auto found = by_location.find(function->getPointOfInstantiation());
    if (found != by_location.end()) host_name = found->second->host_name;
    kernel::KernelInfo info = KernelDescriber(function, generator).describe(host_name);
    if (!by_name.try_emplace(info.name, function).second) {
      report_error(function, "two kernels have the name '" + info.name + "'");
      continue;
    }
    kernels.push_back(std::move(info));
  }
  for (const clang::VarDecl* variable : thread_variables_) {
    thread_variables.push_back({generator.GetMangledName(clang::GlobalDecl(variable)).str(),
                                describe_attribute(variable, *find_thread_attribute(variable))});
  }
  for (const clang::VarDecl* variable : constants_) {
    const clang::ASTContext& context = variable->getASTContext();
    kernel::FunctionConstant constant;
    constant.name = variable->getNameAsString();
    constant.index =
        integer_argument(find_annotation(variable, "function_constant"), context).value_or(0);
    constant.type = written_type(variable->getType(), context);
    constant.symbol = generator.GetMangledName(clang::GlobalDecl(variable)).str();
    for (const clang::VarDecl* flag : defined_flags_) {
      if (flag->getName() == kDefinedPrefix + constant.name &&
          flag->getDeclContext() == variable->getDeclContext()) {
        constant.defined_symbol = generator.GetMangledName(clang::GlobalDecl(flag)).str();
      }
    }
    constant.bytes =
        static_cast<uint64_t>(context.getTypeSizeInChars(variable->getType()).getQuantity());
    constants.push_back(std::move(constant));
  }
}

}  // namespace assay::msl
