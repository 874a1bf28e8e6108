// See declaration_tokens.h.
#include "msl/declaration_tokens.h"

namespace assay::msl {
namespace {

using clang::Token;
namespace tok = clang::tok;

constexpr std::string_view kSpecifiers[] = {"static",   "const",  "constexpr",
                                            "volatile", "inline", "extern"};

class DeclarationParser {
 public:
  DeclarationParser(const TokenSequence& in, size_t index) : in_(in), at_(index) {}

  std::optional<Declaration> parse() {
    read_specifiers();
    // The address space may follow the type: `const float4 constant table[…]` is not seen in
    // practice, `static constexpr constant` and any order of specifiers before the type are.
    if (!out_.is_threadgroup && !out_.is_constant) return std::nullopt;
    out_.type_begin = at_;
    while (at_ < in_.size()) {
      Progress progress = step();
      if (progress == Progress::kNoVariable) return std::nullopt;
      if (progress == Progress::kDone) return std::move(out_);
    }
    return std::nullopt;
  }

 private:
  enum class Progress { kGoesOn, kDone, kNoVariable };

  void read_specifiers() {
    for (; at_ < in_.size(); ++at_) {
      const Token& token = in_[at_];
      out_.is_threadgroup |= is_word(token, "threadgroup");
      out_.is_constant |= is_word(token, "constant");
      out_.has_static |= is_word(token, "static");
      out_.has_extern |= is_word(token, "extern");
      if (is_word(token, "alignas") && in_[at_ + 1].is(tok::l_paren)) {
        out_.alignment = at_ + 1;
        at_ = in_.skip_group(at_ + 1) - 1;
      } else if (is_attribute(at_)) {
        read_attribute();
        --at_;
      } else if (!is_word(token, "threadgroup") && !is_word(token, "constant") &&
                 !is_one_of_words(token, kSpecifiers)) {
        return;
      }
    }
  }

  bool is_attribute(size_t i) const {
    return is_word(in_[i], "__attribute__") && in_[i + 1].is(tok::l_paren);
  }

  // __attribute__((aligned(16)))
  void read_attribute() {
    size_t end = in_.skip_group(at_ + 1);
    for (; at_ < end; ++at_) {
      if (is_word(in_[at_], "aligned") && in_[at_ + 1].is(tok::l_paren)) out_.alignment = at_ + 1;
    }
  }

  Progress step() {
    const Token& token = in_[at_];
    if (token.is(tok::less)) {
      std::optional<size_t> end = in_.skip_angles(at_);
      if (!end) return Progress::kNoVariable;
      at_ = *end;
      last_name_.reset();
      ++type_tokens_;
    } else if (is_word(token, "decltype") && in_[at_ + 1].is(tok::l_paren)) {
      at_ = in_.skip_group(at_ + 1);
      ++type_tokens_;
    } else if (is_attribute(at_)) {
      add_declarator();
      read_attribute();
    } else if (in_.is_attribute_list(at_)) {
      size_t end = in_.skip_group(at_);
      for (; at_ < end; ++at_) {
        out_.has_function_constant |= is_word(in_[at_], "function_constant");
      }
      add_declarator();
    } else if (token.is(tok::l_square)) {
      return dimensions();
    } else if (token.isOneOf(tok::comma, tok::semi, tok::equal, tok::l_brace)) {
      return separator();
    } else if (has_name(token) || token.is(tok::coloncolon)) {
      word();
    } else if (token.is(tok::l_paren)) {
      return name_in_parentheses();
    } else {
      return Progress::kNoVariable;  // pointer, reference, function, expression
    }
    return Progress::kGoesOn;
  }

  void add_declarator() {
    if (last_name_) add_declarator(*last_name_ + 1, *last_name_ + 1);
  }

  void add_declarator(size_t dimensions, size_t end) {
    const size_t begin = parenthesis_.value_or(*last_name_);
    out_.declarators.push_back({begin, *last_name_, dimensions, end});
    last_name_.reset();
    parenthesis_.reset();
  }

  // float (t)[4]; with a name in front of them, parentheses hold the parameters of a function,
  // unless an array follows.
  Progress name_in_parentheses() {
    size_t name = at_;
    while (in_[name].is(tok::l_paren)) ++name;
    const size_t depth = name - at_;
    size_t end = name + 1;
    while (in_[end].is(tok::r_paren)) ++end;
    const bool is_array = in_[end].is(tok::l_square) && !in_.is_attribute_list(end);
    const bool is_function = last_name_ && type_tokens_ > 0 && !is_array;
    const bool ends = is_array || in_.is_attribute_list(end) ||
                      in_[end].isOneOf(tok::comma, tok::semi, tok::equal, tok::l_brace);
    if (!in_[name].is(tok::identifier) || end != name + 1 + depth || !ends || is_function ||
        (!last_name_ && type_tokens_ == 0)) {
      return Progress::kNoVariable;
    }
    ++type_tokens_;
    last_name_ = name;
    parenthesis_ = at_;
    at_ = end;
    if (is_array) return dimensions();
    add_declarator(end, end);
    return Progress::kGoesOn;
  }

  Progress dimensions() {
    if (!last_name_ || type_tokens_ == 0) return Progress::kNoVariable;
    const size_t begin = at_;
    while (in_[at_].is(tok::l_square) && !in_.is_attribute_list(at_)) at_ = in_.skip_group(at_);
    add_declarator(begin, at_);
    return Progress::kGoesOn;
  }

  Progress separator() {
    if (last_name_ && type_tokens_ == 0 && out_.declarators.empty()) return Progress::kNoVariable;
    add_declarator();
    if (out_.declarators.empty()) return Progress::kNoVariable;
    if (in_[at_].is(tok::semi)) {
      out_.end = at_;
      return Progress::kDone;
    }
    if (!in_[at_].is(tok::comma)) {
      out_.initialiser = at_;
      out_.end = in_.find_semicolon(at_);
      return Progress::kDone;
    }
    type_tokens_ = 1;
    ++at_;
    return Progress::kGoesOn;
  }

  void word() {
    const Token& token = in_[at_];
    if (last_name_) ++type_tokens_;
    if (token.is(tok::identifier)) {
      last_name_ = at_;
    } else {
      if (!token.is(tok::coloncolon)) ++type_tokens_;
      last_name_.reset();
    }
    ++at_;
    if (in_[at_].is(tok::coloncolon)) {
      last_name_.reset();
      ++type_tokens_;
    }
  }

  const TokenSequence& in_;
  size_t at_;
  std::optional<size_t> last_name_;
  std::optional<size_t> parenthesis_;  // the first one around the last name
  size_t type_tokens_ = 0;
  Declaration out_;
};

}  // namespace

std::optional<Declaration> parse_declaration(const TokenSequence& tokens, size_t index) {
  return DeclarationParser(tokens, index).parse();
}

}  // namespace assay::msl
