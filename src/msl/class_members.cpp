// See class_members.h.
#include "msl/class_members.h"

#include <algorithm>

namespace assay::msl {
namespace {

using clang::Token;
namespace tok = clang::tok;

constexpr std::string_view kAddressSpaces[] = {"__global", "__local",    "__private",
                                               "constant", "__constant", "__generic"};

// Words in front of parentheses that are no parameter list.
constexpr std::string_view kTakesParentheses[] = {"decltype", "__attribute__", "alignas",
                                                  "noexcept", "__declspec",    "explicit",
                                                  "sizeof",   "alignof"};

constexpr std::string_view kConstants[] = {"const", "volatile"};

// Members that start with these have no `this` or declare no object.
constexpr std::string_view kNoObject[] = {"static", "friend", "typedef", "using", "static_assert",
                                          "struct", "class",  "union",   "enum"};

constexpr std::string_view kAccess[] = {"public", "private", "protected"};

class MemberParser {
 public:
  MemberParser(const TokenSequence& tokens, std::string_view class_name, size_t begin, size_t end)
      : tokens_(tokens), class_name_(class_name), end_(end), at_(begin) {
    member_.begin = begin;
  }

  Member parse() {
    while (at_ < end_) {
      if (step()) return std::move(member_);
    }
    Member unfinished;
    unfinished.begin = member_.begin;
    unfinished.end = end_;
    return unfinished;
  }

 private:
  bool is_function() const { return member_.parameters_end != 0; }

  // `enum Kind kind() const`: the keyword before a type that has a name already.
  bool is_elaborated_type() const {
    constexpr std::string_view kClassWords[] = {"struct", "class", "union", "enum"};
    return is_one_of_words(tokens_[at_], kClassWords) && tokens_[at_ + 1].is(tok::identifier) &&
           tokens_[at_ + 2].isOneOf(tok::identifier, tok::amp, tok::star);
  }

  // One token or group; true at the member's end.
  bool step() {
    const Token& token = tokens_[at_];
    std::string_view word = word_of(token);
    if (!is_function()) {
      has_object_ &= !is_one_of_words(token, kNoObject) || is_elaborated_type();
      member_.is_constexpr |= word == "constexpr";
    }
    if (token.is(tok::semi)) return finish(at_ + 1);
    if (token.is(tok::l_brace)) return braces();
    if (word == "operator" && !is_function()) {
      operator_name();
    } else if (token.is(tok::l_paren)) {
      parentheses();
    } else if (token.is(tok::equal) && !is_function()) {
      if (!member_.initialiser) member_.initialiser = at_;
      ++at_;
    } else if (token.is(tok::less) && !is_function()) {
      at_ = tokens_.skip_angles(at_).value_or(at_ + 1);
    } else if (token.is(tok::l_square)) {
      at_ = tokens_.skip_group(at_);
    } else if (token.is(tok::colon) && is_constructor_) {
      member_.initialiser = at_;
      skip_initialisers();
    } else {
      if (token.is(tok::identifier) && !is_function() && !member_.initialiser) {
        member_.name = word;
      }
      ++at_;
    }
    return false;
  }

  bool braces() {
    size_t close = tokens_.skip_group(at_);
    if (is_function()) {
      member_.body = at_;
      return finish(close);
    }
    if (!member_.initialiser) member_.initialiser = at_;
    at_ = close;
    return false;
  }

  // operator()(…): the first pair belongs to the name.
  void operator_name() {
    member_.name_at = at_;
    member_.name = "operator";
    at_ += tokens_[at_ + 1].is(tok::l_paren) ? 3 : 1;
    while (at_ < end_ && !tokens_[at_].isOneOf(tok::l_paren, tok::semi)) ++at_;
    if (at_ >= end_ || tokens_[at_].is(tok::semi)) return;
    at_ = tokens_.skip_group(at_);
    member_.parameters_end = at_;
  }

  // float (*p)[4]; float (&r)[4]; int (*f)(int); float (values)[4];
  bool is_declarator() const {
    const Token& inside = tokens_[at_ + 1];
    if (inside.isOneOf(tok::star, tok::amp, tok::ampamp)) return true;
    const bool is_of_class = inside.is(tok::identifier) && tokens_[at_ + 2].is(tok::coloncolon) &&
                             tokens_[at_ + 3].is(tok::star);
    if (is_of_class) return true;
    if (!inside.is(tok::identifier) || !tokens_[at_ + 2].is(tok::r_paren)) return false;
    // A function without a type in front of its name is a constructor.
    const bool has_type_only = at_ == member_.begin + 1 ||
                               is_one_of_words(tokens_[at_ - 2], kAddressSpaces) ||
                               is_one_of_words(tokens_[at_ - 2], kConstants);
    return has_type_only && word_of(tokens_[at_ - 1]) != class_name_;
  }

  // The last name in front of the array's bound or the function's parameters.
  void declarator() {
    const size_t end = tokens_.skip_group(at_);
    std::optional<size_t> name;
    for (; at_ < end && !tokens_[at_].is(tok::l_square); ++at_) {
      if (tokens_[at_].is(tok::identifier)) name = at_;
    }
    if (name) member_.name = word_of(tokens_[*name]);
    if (tokens_[end].is(tok::l_paren)) member_.function_pointer = name;
    at_ = end;
    while (at_ < end_ && tokens_[at_].isOneOf(tok::l_paren, tok::l_square)) {
      at_ = tokens_.skip_group(at_);
    }
    member_.declarator_end = at_;
  }

  void parentheses() {
    const Token& before = tokens_.before(at_);
    if (!is_function() && !member_.initialiser && at_ > member_.begin && has_name(before) &&
        !is_one_of_words(before, kTakesParentheses) && is_declarator()) {
      return declarator();
    }
    bool is_parameters = !is_function() && !member_.initialiser && at_ > member_.begin &&
                         !is_one_of_words(before, kTakesParentheses) && before.is(tok::identifier);
    if (is_parameters) {
      member_.name_at = at_ - 1;
      member_.name = word_of(before);
      bool is_destructor = at_ >= member_.begin + 2 && tokens_[at_ - 2].is(tok::tilde);
      has_object_ &= !is_destructor;
      is_constructor_ = member_.name == class_name_;
    }
    at_ = tokens_.skip_group(at_);
    if (is_parameters) member_.parameters_end = at_;
  }

  // x(1), y{2} in front of a constructor's body: ends at the body's '{'.
  void skip_initialisers() {
    for (++at_; at_ < end_;) {
      const Token& token = tokens_[at_];
      bool is_body =
          token.is(tok::l_brace) && !tokens_.before(at_).isOneOf(tok::identifier, tok::greater);
      if (token.is(tok::semi) || is_body) return;
      bool opens = token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace);
      at_ = opens ? tokens_.skip_group(at_) : at_ + 1;
    }
  }

  bool finish(size_t end) {
    member_.end = end;
    if (!has_object_) {
      member_.kind = MemberKind::kOther;
    } else if (!is_function()) {
      member_.kind = MemberKind::kField;
    } else {
      member_.kind = is_constructor_ ? MemberKind::kConstructor : MemberKind::kMethod;
      read_qualifiers();
    }
    return true;
  }

  void read_qualifiers() {
    constexpr tok::TokenKind kEnds[] = {tok::l_brace, tok::semi, tok::equal, tok::arrow,
                                        tok::colon};
    for (size_t i = member_.parameters_end; i < member_.end; ++i) {
      if (std::ranges::any_of(kEnds, [&](tok::TokenKind kind) { return tokens_[i].is(kind); })) {
        return;
      }
      member_.is_const |= is_word(tokens_[i], "const");
      if (is_one_of_words(tokens_[i], kAddressSpaces)) member_.qualifier = i;
    }
  }

  const TokenSequence& tokens_;
  std::string_view class_name_;
  size_t end_;
  size_t at_;
  bool has_object_ = true;
  bool is_constructor_ = false;
  Member member_;
};

// The '{' of a class definition.
std::optional<size_t> find_body(const TokenSequence& tokens, size_t i) {
  for (++i; i < tokens.size();) {
    const Token& token = tokens[i];
    if (token.is(tok::l_brace)) return i;
    if (token.is(tok::less)) {
      i = tokens.skip_angles(i).value_or(i + 1);
    } else if (token.is(tok::l_square) ||
               (token.is(tok::l_paren) && is_one_of_words(tokens.before(i), kTakesParentheses))) {
      i = tokens.skip_group(i);
    } else if (has_name(token) || token.isOneOf(tok::colon, tok::coloncolon, tok::comma)) {
      ++i;
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

void read_head(const TokenSequence& tokens, size_t i, ClassTokens& out) {
  bool in_bases = false;
  for (++i; i < out.body; ++i) {
    const Token& token = tokens[i];
    if (token.is(tok::less)) {
      i = tokens.skip_angles(i).value_or(i + 1) - 1;
    } else if (token.is(tok::l_square)) {
      i = tokens.skip_group(i) - 1;
    } else if (tokens[i + 1].is(tok::l_paren)) {
      i = tokens.skip_group(i + 1) - 1;
    } else if (token.is(tok::colon)) {
      in_bases = true;
    } else if (token.is(tok::identifier) && !is_word(token, "final")) {
      if (in_bases) {
        out.bases.push_back(word_of(token));
      } else {
        out.name = word_of(token);
      }
    }
  }
}

// ';' and the parts of `public:` between members.
bool is_separator(const TokenSequence& tokens, size_t i) {
  return tokens[i].isOneOf(tok::semi, tok::colon) ||
         (tokens[i + 1].is(tok::colon) && is_one_of_words(tokens[i], kAccess));
}

}  // namespace

std::optional<ClassTokens> parse_class(const TokenSequence& tokens, size_t index) {
  constexpr std::string_view kClassWords[] = {"struct", "class", "union"};
  bool starts = is_one_of_words(tokens[index], kClassWords) &&
                !(index > 0 && is_word(tokens.before(index), "enum"));
  std::optional<size_t> body = starts ? find_body(tokens, index) : std::nullopt;
  if (!body) return std::nullopt;
  ClassTokens out;
  out.body = *body;
  out.end = tokens.skip_group(*body) - 1;
  read_head(tokens, index, out);
  for (size_t i = *body + 1; i < out.end;) {
    if (is_separator(tokens, i)) {
      ++i;
      continue;
    }
    out.members.push_back(MemberParser(tokens, out.name, i, out.end).parse());
    i = std::max(out.members.back().end, i + 1);
  }
  return out;
}

}  // namespace assay::msl
