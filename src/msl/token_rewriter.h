// What the parts of the token pass share: the tokens before and after, the place in between, and
// the words that stand for Metal's. Each part handles one kind of construct (see token_pass.cpp).
#pragma once

#include <clang/Lex/Preprocessor.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "msl/token_builder.h"
#include "msl/token_pass.h"
#include "msl/token_sequence.h"

namespace assay::msl {

// device, threadgroup, constant or thread.
bool is_address_space(const clang::Token& token);

class TokenRewriter {
 public:
  TokenRewriter(const Tokens& tokens, clang::Preprocessor& preprocessor, const Repairs& repairs);

  const clang::Token& here() const { return in[position]; }

  void emit(const clang::Token& token) { result.tokens.push_back(token); }
  void emit(const Tokens& tokens) {
    result.tokens.insert(result.tokens.end(), tokens.begin(), tokens.end());
  }
  void emit(std::string_view text, clang::SourceLocation location) {
    emit(make.snippet(text, location));
  }
  // The token at `index` with Metal's words turned into the base language's, and with what earlier
  // runs have found about operands that begin or end there.
  void emit_rewritten(size_t index) { append_rewritten(index, {0, in.size()}, result.tokens); }
  // The same with `text` in place of the token.
  void emit_in_place_of(size_t index, std::string_view text);
  // Such tokens of a range that is a copy; other constructs inside stay what they are.
  Tokens rewritten(size_t begin, size_t end) const;
  clang::Token with_base_keyword(const clang::Token& token) const;

  std::string spelling(const clang::Token& token) const { return preprocessor.getSpelling(token); }
  void report(TokenMessage message) { result.messages.push_back(std::move(message)); }

  // The template parameter at `index` that is to be `auto`; null for others.
  const FunctionParameter* find_auto_parameter(size_t index) const {
    auto found = auto_parameters_.find(index);
    return found == auto_parameters_.end() ? nullptr : &found->second;
  }

  // The declaration at `index` that is left out; null for others.
  const LeftOutDeclaration* find_left_out(size_t index) const {
    auto found = left_out_.find(index);
    return found == left_out_.end() ? nullptr : &found->second;
  }

  const TokenSequence in;
  clang::Preprocessor& preprocessor;
  const TokenBuilder make;
  TokenPassResult result;
  size_t position = 0;                        // of the next token of `in`
  size_t parentheses = 0;                     // that are open here, inside of the innermost braces
  bool sees_kernel = false;                   // so far
  std::set<std::string_view> function_types;  // names of pointers to functions
  std::vector<size_t> graphics_stages;        // of functions that are left out (graphics_tokens.h)
  std::set<std::string> told_left_out;        // kernels of which that was said (left_out.h)

 private:
  bool lacks_const(size_t index) const;
  bool is_redundant_thread(size_t index) const;
  bool is_thread_of_value(size_t index) const;
  Tokens half_cast_prefix(const HalfCast& cast) const;
  Tokens mixed_operand_prefix(const MixedOperand& operand) const;
  // Operands that are not inside of a range are not told of in a copy of it.
  struct Range {
    size_t begin;
    size_t end;
    bool holds_itself = true;
    bool holds(size_t first, size_t last) const {
      return first >= begin && last < end && (holds_itself || last - first + 1 < end - begin);
    }
  };
  Tokens copy_of(Range range) const;
  void append_rewritten(size_t index, Range range, Tokens& out) const;
  void append_prefixes(size_t index, Range range, Tokens& out) const;
  void append_ends(size_t index, Range range, Tokens& out) const;

  std::multimap<size_t, HalfCast> half_casts_;            // by the operand's first token
  std::multimap<size_t, MixedOperand> mixed_operands_;    // by their first token
  std::multimap<size_t, ThreadOperand> thread_operands_;  // by their first token
  std::multimap<size_t, size_t> operand_ends_;  // the first tokens of all three, by the last
  std::set<size_t> dropped_;                    // tokens that are left out
  std::map<size_t, std::string> braced_types_;  // what the list at a '{' makes
  std::map<size_t, FunctionParameter> auto_parameters_;  // by their first token
  std::map<size_t, LeftOutDeclaration> left_out_;        // by their first token
};

}  // namespace assay::msl
