// Variables outside of thread memory: threadgroup storage, function constants, program-scope
// constants and thread attributes.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "msl/declaration_tokens.h"
#include "msl/token_rewriter.h"

namespace assay::msl {

class VariableTokens {
 public:
  explicit VariableTokens(TokenRewriter& rewriter);

  // Rewrites the declaration at the rewriter's position; false if there is none to rewrite.
  bool rewrite();
  // is_function_constant_defined(a::c) → a::__assay_defined_c
  void rewrite_defined_query();

 private:
  void rewrite_threadgroup(const Declaration& declaration);
  void rewrite_function_constant(const Declaration& declaration);
  void rewrite_thread_variable(size_t end);
  bool rewrite_constant(const Declaration& declaration);
  void rewrite_derived(const Declaration& declaration);
  void emit_threadgroup_storage(const Declaration& declaration, const Declarator& declarator);
  void emit_specifiers(const Declaration& declaration, bool is_in_constant_memory);
  bool depends_on_function_constant(const Declaration& declaration) const;
  std::string name_of(const Declaration& declaration) const;

  TokenRewriter& rewriter_;
  const TokenSequence& in_;
  uint64_t next_threadgroup_id_ = 0;
  std::map<size_t, size_t> thread_variables_;  // from their first tokens to behind their ';'
  std::set<std::string, std::less<>> function_constants_;
  std::set<std::string, std::less<>>
      late_members_;  // static members defined outside of their class
};

}  // namespace assay::msl
