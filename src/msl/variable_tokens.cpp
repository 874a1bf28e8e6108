// See variable_tokens.h.
#include "msl/variable_tokens.h"

#include "msl/attribute_tokens.h"
#include "msl/program_scope.h"
#include "msl/thread_attributes.h"

namespace assay::msl {

using clang::Token;
namespace tok = clang::tok;

namespace {

// `uint3 gid [[thread_position_in_grid]];` outside of functions and classes.
bool declares_thread_variable(const TokenSequence& in, const ProgramScopeDeclaration& declaration) {
  if (is_template(in, declaration)) return false;
  bool has_attribute = false;
  for (size_t i = declaration.begin; i < declaration.end; ++i) {
    if (in.is_attribute_list(i)) {
      const size_t end = in.skip_group(i);
      for (; i < end; ++i) has_attribute |= has_name(in[i]) && is_thread_attribute(word_of(in[i]));
      --i;
    } else if (in[i].isOneOf(tok::l_paren, tok::l_brace, tok::equal)) {
      return false;
    }
  }
  return has_attribute;
}

}  // namespace

VariableTokens::VariableTokens(TokenRewriter& rewriter) : rewriter_(rewriter), in_(rewriter.in) {
  for (const ProgramScopeDeclaration& declaration : list_declarations(in_)) {
    if (!declares_thread_variable(in_, declaration)) continue;
    thread_variables_.emplace(declaration.begin, declaration.end);
  }
}

bool VariableTokens::rewrite() {
  if (auto found = thread_variables_.find(rewriter_.position); found != thread_variables_.end()) {
    rewrite_thread_variable(found->second);
    return true;
  }
  std::optional<Declaration> declaration = parse_declaration(in_, rewriter_.position);
  if (!declaration) return false;
  if (declaration->is_threadgroup) {
    rewrite_threadgroup(*declaration);
  } else if (declaration->has_function_constant) {
    rewrite_function_constant(*declaration);
  } else {
    return rewrite_constant(*declaration);
  }
  return true;
}

std::string VariableTokens::name_of(const Declaration& declaration) const {
  return rewriter_.spelling(in_[declaration.declarators.front().name]);
}

// threadgroup float tile[8][9]; → auto& tile = *(pointer to float[8][9])<storage of variable id>;
// The storage is asked for in the user's own function: each instantiation of it has its own.
void VariableTokens::rewrite_threadgroup(const Declaration& declaration) {
  if (declaration.initialiser) {
    const Token& name = in_[declaration.declarators.back().name];
    rewriter_.report(
        {name.getLocation(), Severity::kWarning,
         "the initialiser of threadgroup variable '" + rewriter_.spelling(name) + "' has no effect",
         "assign it in one thread, then "
         "threadgroup_barrier(mem_flags::mem_threadgroup)"});
  }
  for (const Declarator& declarator : declaration.declarators) {
    emit_threadgroup_storage(declaration, declarator);
  }
  rewriter_.position = declaration.end + 1;
}

void VariableTokens::emit_threadgroup_storage(const Declaration& declaration,
                                              const Declarator& declarator) {
  const Token& name = in_[declarator.name];
  clang::SourceLocation location = name.getLocation();
  size_t type_end = declaration.declarators.front().begin;
  Tokens type = rewriter_.rewritten(declaration.type_begin, type_end);
  Tokens dimensions = rewriter_.rewritten(declarator.dimensions, declarator.end);
  type.insert(type.end(), dimensions.begin(), dimensions.end());
  rewriter_.emit("auto &", location);
  rewriter_.emit(name);
  rewriter_.emit("= *(typename ::metal::__assay::as_threadgroup<", location);
  rewriter_.emit(type);
  rewriter_.emit(">::pointer) ::metal::__assay::threadgroup_memory(", location);
  rewriter_.emit(rewriter_.make.number(next_threadgroup_id_++, location));
  rewriter_.emit(", sizeof(", location);
  rewriter_.emit(type);
  rewriter_.emit("), ", location);
  if (declaration.alignment) {
    rewriter_.emit(
        rewriter_.rewritten(*declaration.alignment, in_.skip_group(*declaration.alignment)));
  } else {
    rewriter_.emit("alignof(", location);
    rewriter_.emit(type);
    rewriter_.emit(")", location);
  }
  rewriter_.emit(");", location);
}

// constant bool c [[function_constant(0)]]; → extern constant bool c [[…]]; and its "defined" flag
void VariableTokens::rewrite_function_constant(const Declaration& declaration) {
  std::string name = name_of(declaration);
  clang::SourceLocation location = in_[declaration.declarators.front().name].getLocation();
  rewriter_.emit("extern", location);
  size_t end = declaration.initialiser.value_or(declaration.end);
  while (rewriter_.position < end) {
    const Token& token = rewriter_.here();
    if (in_.is_attribute_list(rewriter_.position)) {
      rewrite_attributes(rewriter_, AttributeOwner::kFunctionConstant);
      continue;
    }
    if (!is_word(token, "static") && !is_word(token, "constexpr")) {
      rewriter_.emit(rewriter_.with_base_keyword(token));
    }
    ++rewriter_.position;
  }
  rewriter_.emit("; extern constant const bool " + std::string(kDefinedPrefix) + name + " ;",
                 location);
  rewriter_.position = declaration.end + 1;
  function_constants_.insert(name);
}

// const uint gid [[thread_position_in_grid]]; → extern const uint gid [[…]]; thread_variables.h
// gives it its value.
void VariableTokens::rewrite_thread_variable(size_t end) {
  constexpr std::string_view kDropped[] = {"static", "constexpr", "inline",
                                           "extern", "constant",  "thread"};
  while (in_.is_attribute_list(rewriter_.position)) {
    rewrite_attributes(rewriter_, AttributeOwner::kOther);
  }
  rewriter_.emit("extern", rewriter_.here().getLocation());
  while (rewriter_.position < end) {
    if (in_.is_attribute_list(rewriter_.position)) {
      rewrite_attributes(rewriter_, AttributeOwner::kOther);
      continue;
    }
    if (!is_one_of_words(rewriter_.here(), kDropped)) rewriter_.emit_rewritten(rewriter_.position);
    ++rewriter_.position;
  }
}

// Constants that depend on function constants get their value when the kernel is built; constants
// in a function's scope are static, as the base language wants it.
bool VariableTokens::rewrite_constant(const Declaration& declaration) {
  if (declaration.has_extern) return false;
  bool is_member = in_.before(declaration.declarators.front().name).is(tok::coloncolon);
  std::string name = name_of(declaration);
  if (is_member && !declaration.initialiser) {
    // Repeats a static member of a class for older dialects.
    rewriter_.position = declaration.end + 1;
    return true;
  }
  if (is_member) {
    if (!late_members_.contains(name)) return false;
    emit_specifiers(declaration, /*is_in_constant_memory=*/false);
    return true;
  }
  if (!declaration.initialiser && declaration.has_static) {
    // A static member that is defined outside of its class: the base language wants the value of
    // constant memory at once.
    late_members_.insert(name);
    emit_specifiers(declaration, /*is_in_constant_memory=*/false);
    return true;
  }
  if (declaration.initialiser && depends_on_function_constant(declaration)) {
    rewrite_derived(declaration);
    return true;
  }
  if (!declaration.has_static) rewriter_.emit("static", rewriter_.here().getLocation());
  emit_specifiers(declaration, /*is_in_constant_memory=*/true);
  return true;
}

// So that the statement is not looked at again.
void VariableTokens::emit_specifiers(const Declaration& declaration, bool is_in_constant_memory) {
  for (; rewriter_.position < declaration.type_begin; ++rewriter_.position) {
    const Token& token = rewriter_.here();
    if (is_in_constant_memory) {
      rewriter_.emit_rewritten(rewriter_.position);
    } else {
      rewriter_.emit(is_word(token, "constant")
                         ? rewriter_.make.identifier("const", token.getLocation())
                         : token);
    }
  }
}

bool VariableTokens::depends_on_function_constant(const Declaration& declaration) const {
  for (size_t i = *declaration.initialiser; i < declaration.end; ++i) {
    if (is_word(in_[i], "is_function_constant_defined")) return true;
    if (has_name(in_[i]) && function_constants_.contains(word_of(in_[i]))) return true;
  }
  return false;
}

// constant int n = c ? 4 : 8; → extern constant int n; and a constructor that stores the value,
// which folds as soon as the function constants are known.
void VariableTokens::rewrite_derived(const Declaration& declaration) {
  const Token& name = in_[declaration.declarators.front().name];
  clang::SourceLocation location = name.getLocation();
  std::string word = name_of(declaration);
  Tokens type = rewriter_.rewritten(declaration.type_begin, declaration.declarators.front().begin);
  rewriter_.emit("extern constant const", location);
  rewriter_.emit(type);
  rewriter_.emit(name);
  rewriter_.emit(
      "; static __attribute__((constructor)) void __assay_derive_" + word + "() { typedef",
      location);
  rewriter_.emit(type);
  rewriter_.emit(
      "__assay_type; *(__private __assay_type *)(unsigned long)&" + word + " = __assay_type",
      location);
  bool braces = in_[*declaration.initialiser].is(tok::l_brace);
  rewriter_.position = *declaration.initialiser + (braces ? 0 : 1);
  if (!braces) rewriter_.emit("(", location);
  while (rewriter_.position < declaration.end) {
    if (is_word(rewriter_.here(), "is_function_constant_defined")) {
      rewrite_defined_query();
    } else {
      rewriter_.emit_rewritten(rewriter_.position++);
    }
  }
  if (!braces) rewriter_.emit(")", location);
  rewriter_.emit("; }", location);
  rewriter_.position = declaration.end + 1;
  function_constants_.insert(word);
}

void VariableTokens::rewrite_defined_query() {
  size_t end = in_.skip_group(rewriter_.position + 1);
  for (size_t i = rewriter_.position + 2; i + 1 < end; ++i) {
    const Token& token = in_[i];
    bool is_last = i + 2 == end;
    rewriter_.emit(is_last && has_name(token)
                       ? rewriter_.make.identifier(kDefinedPrefix + rewriter_.spelling(token),
                                                   token.getLocation())
                       : token);
  }
  rewriter_.position = end;
}

}  // namespace assay::msl
