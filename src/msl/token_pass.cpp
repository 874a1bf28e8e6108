// See token_pass.h. One left-to-right walk that hands each construct to the part that knows it.
#include "msl/token_pass.h"

#include "msl/air_functions.h"
#include "msl/attribute_tokens.h"
#include "msl/conditional_tokens.h"
#include "msl/graphics_tokens.h"
#include "msl/left_out.h"
#include "msl/method_qualifiers.h"
#include "msl/sampling_tokens.h"
#include "msl/template_tokens.h"
#include "msl/token_rewriter.h"
#include "msl/variable_tokens.h"
#include "msl/wide_vector_tokens.h"

namespace assay::msl {
namespace {

using clang::Token;
namespace tok = clang::tok;

constexpr std::string_view kScalarNames[] = {
    "bool",    "char",    "short",   "int",     "long",     "uchar",    "ushort",
    "uint",    "ulong",   "half",    "float",   "bfloat",   "size_t",   "int8_t",
    "uint8_t", "int16_t", "int32_t", "int64_t", "uint16_t", "uint32_t", "uint64_t"};

constexpr size_t kTokensBehindEnd = 4;

class TokenPass {
 public:
  TokenPass(const Tokens& tokens, clang::Preprocessor& preprocessor, const Repairs& repairs)
      : rewriter_(tokens, preprocessor, repairs),
        in_(rewriter_.in),
        variables_(rewriter_),
        wide_vectors_(rewriter_),
        sampling_(rewriter_) {
    rewriter_.result.tokens.reserve(tokens.size() + tokens.size() / 8);
    rewriter_.function_types = find_function_types(in_);
  }

  TokenPassResult run() {
    while (rewriter_.position < in_.size()) {
      close_brackets();
      if (!leave_out_declaration(rewriter_)) step();
    }
    close_brackets();
    // The parser looks ahead of the end, which a bracket without its other half may have swallowed.
    const Token end = in_[in_.size() - 1];
    rewriter_.emit(Tokens(kTokensBehindEnd, end));
    report_graphics_functions(rewriter_);
    rewriter_.result.tokens = qualify_methods(rewriter_.result.tokens, rewriter_.make);
    return std::move(rewriter_.result);
  }

 private:
  void step() {
    const Token& token = rewriter_.here();
    const Token& next = in_[rewriter_.position + 1];
    if (at_statement_start() && rewrite_statement()) return;
    if (rewrite_conditional_arm()) return;
    if (wide_vectors_.rewrite() || sampling_.rewrite()) return;
    if (token.is(tok::l_paren) && rewrite_air_function(rewriter_)) return;
    if (in_.is_attribute_list(rewriter_.position)) {
      rewrite_attributes(rewriter_, AttributeOwner::kOther);
    } else if (is_thread_of_scalar_reference()) {
      ++rewriter_.position;
    } else if (is_word(token, "template") && next.is(tok::less)) {
      in_specialisation_ = in_[rewriter_.position + 2].is(tok::greater);
      rewrite_template_parameters(rewriter_);
    } else if (is_word(token, "kernel")) {
      rewriter_.sees_kernel = true;
      rewriter_.emit("__attribute__((annotate(\"msl.kernel\")))", token.getLocation());
      ++rewriter_.position;
    } else if (is_word(token, "is_function_constant_defined") && next.is(tok::l_paren)) {
      variables_.rewrite_defined_query();
    } else if (const std::string number = rewritten_number(token); !number.empty()) {
      rewriter_.emit_in_place_of(rewriter_.position++, number);
    } else if (is_word(token, "virtual")) {
      rewriter_.report({token.getLocation(), Severity::kError,
                        "Metal has no virtual functions and no virtual base classes",
                        "use a template, or a switch over the kinds"});
      ++rewriter_.position;
    } else if (is_coherent()) {
      rewriter_.position =
          next.is(tok::l_paren) ? in_.skip_group(rewriter_.position + 1) : rewriter_.position + 1;
    } else if (is_type_of_variable()) {
      // Without its address space, if that is thread memory.
      rewriter_.emit("::metal::__assay::declared<decltype", token.getLocation());
      ends_.push_back({in_.skip_group(rewriter_.position + 1), tok::greater});
      ++rewriter_.position;
    } else {
      track(token);
      rewriter_.emit_rewritten(rewriter_.position);
      if (lacks_array_space()) rewriter_.emit("__private", token.getLocation());
      ++rewriter_.position;
    }
  }

  bool rewrite_statement() {
    if (leave_out_graphics_function(rewriter_)) return true;
    const Token& token = rewriter_.here();
    if (is_word(token, "template") && !in_[rewriter_.position + 1].is(tok::less)) {
      rewrite_explicit_instantiation(rewriter_);
      return true;
    }
    return variables_.rewrite();
  }

  bool at_statement_start() const {
    if (rewriter_.result.tokens.empty()) return true;
    const Token& previous = rewriter_.result.tokens.back();
    return previous.isOneOf(tok::semi, tok::l_brace, tok::r_brace, tok::colon) ||
           (previous.is(tok::r_paren) && rewriter_.parentheses == 0) || is_word(previous, "else") ||
           previous.isAnnotation();
  }

  // Counts what the decisions above depend on.
  void track(const Token& token) {
    if (token.is(tok::question)) ++conditionals_;
    if (token.is(tok::colon)) {
      colon_is_conditional_ = conditionals_ > 0;
      if (conditionals_ > 0) --conditionals_;
    }
    if (token.isOneOf(tok::semi, tok::l_brace)) in_specialisation_ = false;
    if (token.is(tok::semi)) conditionals_ = 0;
    size_t& parentheses = rewriter_.parentheses;
    if (token.is(tok::l_paren)) ++parentheses;
    if (token.is(tok::r_paren) && parentheses > 0) --parentheses;
    // A lambda's body inside a call starts statements of its own.
    if (token.is(tok::l_brace)) {
      brace_parentheses_.push_back(parentheses);
      parentheses = 0;
    }
    if (token.is(tok::r_brace) && !brace_parentheses_.empty()) {
      parentheses = brace_parentheses_.back();
      brace_parentheses_.pop_back();
    }
  }

  // --- conditional operator ----------------------------------------------------------------------

  bool rewrite_conditional_arm() {
    const Tokens& out = rewriter_.result.tokens;
    if (out.empty() || !out.back().isOneOf(tok::question, tok::colon)) return false;
    bool is_left = out.back().is(tok::question);
    if (!is_left && !colon_is_conditional_) return false;
    std::optional<size_t> end = open_conditional_arm(rewriter_, is_left);
    if (end) ends_.push_back({*end, tok::r_paren});
    return end.has_value();
  }

  // Whatever the pass has opened around the tokens up to here.
  void close_brackets() {
    while (!ends_.empty() && rewriter_.position >= ends_.back().position) {
      clang::SourceLocation location = in_.before(rewriter_.position).getLocation();
      rewriter_.emit(rewriter_.make.punctuation(ends_.back().bracket, location));
      ends_.pop_back();
    }
  }

  // --- parameters --------------------------------------------------------------------------------

  // `const thread int& n` also takes a temporary, which the base language keeps outside of thread
  // memory; for scalars the address space of the reference makes no other difference. A
  // specialisation has to repeat its template's type.
  bool is_thread_of_scalar_reference() const {
    size_t i = rewriter_.position;
    if (in_specialisation_ || !is_word(in_[i], "thread")) return false;
    bool is_const = is_word(in_.before(i), "const");
    if (is_word(in_[++i], "const")) {
      is_const = true;
      ++i;
    }
    return is_const && is_one_of_words(in_[i], kScalarNames) && in_[i + 1].is(tok::amp);
  }

  // f(T a[4]): an array parameter points to thread memory. Clang adds that itself, but only once it
  // knows T, and then as a part of T.
  bool lacks_array_space() const {
    size_t i = rewriter_.position;
    if (!in_[i].isOneOf(tok::l_paren, tok::comma) || rewriter_.parentheses == 0) return false;
    ++i;
    while (is_word(in_[i], "const") || is_word(in_[i], "typename")) ++i;
    bool has_type = false;
    while (in_[i].is(tok::identifier) && in_[i + 1].is(tok::coloncolon)) i += 2;
    if (in_[i].is(tok::identifier) && !is_address_space(in_[i])) {
      has_type = true;
      ++i;
    }
    if (has_type && in_[i].is(tok::less)) i = skip_plain_arguments(i);
    return has_type && in_[i].is(tok::identifier) && in_[i + 1].is(tok::l_square) &&
           !in_.is_attribute_list(i + 1);
  }

  // decltype(x), decltype(s.x), decltype(p->x)
  bool is_type_of_variable() const {
    size_t i = rewriter_.position;
    if (!is_word(in_[i], "decltype") || !in_[i + 1].is(tok::l_paren)) return false;
    for (i += 2; in_[i].isOneOf(tok::identifier, tok::period, tok::arrow, tok::coloncolon); ++i) {
    }
    return in_[i].is(tok::r_paren) && !in_[i - 1].is(tok::l_paren);
  }

  // Behind template arguments of types and numbers; `a < b && c[0] > d[0]` has none.
  size_t skip_plain_arguments(size_t less) const {
    size_t end = in_.skip_angles(less).value_or(less);
    for (size_t i = less; i < end; ++i) {
      bool is_plain =
          has_name(in_[i]) || in_[i].isOneOf(tok::less, tok::greater, tok::greatergreater,
                                             tok::comma, tok::coloncolon, tok::numeric_constant);
      if (!is_plain) return less;
    }
    return end;
  }

  // `coherent device T*`, `device coherent(device) T*`: all memory is coherent here.
  bool is_coherent() const {
    size_t i = rewriter_.position;
    return is_word(in_[i], "coherent") &&
           (is_address_space(in_.before(i)) || is_address_space(in_[i + 1]));
  }

  // --- literals ----------------------------------------------------------------------------------

  // 1.5bf: the base language has no such suffix.
  // 1.5bf, and 1ull, which is a ulong: Metal has no wider type. Empty for other tokens.
  std::string rewritten_number(const Token& token) const {
    if (!token.is(tok::numeric_constant)) return {};
    std::string text = rewriter_.spelling(token);
    bool is_hexadecimal = text.size() > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (!is_hexadecimal && (text.ends_with("bf") || text.ends_with("BF"))) {
      return "((__bf16)" + text.substr(0, text.size() - 2) + "f)";
    }
    for (const char* suffix : {"ll", "LL"}) {
      const size_t found = text.rfind(suffix);
      if (found != std::string::npos) return text.erase(found, 1);
    }
    return {};
  }

  TokenRewriter rewriter_;
  const TokenSequence& in_;
  VariableTokens variables_;
  WideVectorTokens wide_vectors_;
  SamplingTokens sampling_;
  size_t conditionals_ = 0;            // '?' of this statement that wait for their ':'
  bool colon_is_conditional_ = false;  // the last ':' belongs to a '?'
  bool in_specialisation_ = false;     // behind `template <>`
  struct End {
    size_t position;
    tok::TokenKind bracket;
  };
  std::vector<End> ends_;  // of the brackets that the pass has opened around this place
  std::vector<size_t> brace_parentheses_;
};

}  // namespace

TokenPassResult rewrite_tokens(const Tokens& tokens, clang::Preprocessor& preprocessor,
                               const Repairs& repairs) {
  if (tokens.empty()) return {};
  return TokenPass(tokens, preprocessor, repairs).run();
}

}  // namespace assay::msl
