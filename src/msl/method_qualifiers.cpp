// See method_qualifiers.h. Works on tokens after the token pass: address spaces are already written
// in the base language's words.
#include "msl/method_qualifiers.h"

#include <clang/Basic/IdentifierTable.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "msl/token_builder.h"

namespace assay::msl {
namespace {

using clang::Token;
namespace tok = clang::tok;

std::string_view word_of(const Token& token) {
  if (token.isAnnotation() || token.isLiteral()) return {};
  const clang::IdentifierInfo* info = token.getIdentifierInfo();
  return info ? std::string_view(info->getName()) : std::string_view();
}

bool is_address_space(std::string_view word) {
  return word == "__global" || word == "__local" || word == "__private" || word == "constant" ||
         word == "__constant" || word == "__generic";
}

// Words in front of parentheses that are no parameter list.
bool takes_parentheses(std::string_view word) {
  return word == "decltype" || word == "__attribute__" || word == "alignas" || word == "noexcept" ||
         word == "__declspec" || word == "explicit" || word == "sizeof" || word == "alignof";
}

class MethodQualifier {
 public:
  MethodQualifier(const std::vector<Token>& in, const TokenBuilder& make) : in_(in), make_(make) {
    out_.reserve(in.size() + in.size() / 64);
  }

  std::vector<Token> run() {
    for (size_t i = 0; i < in_.size();) i = copy_until_class(i, in_.size());
    return std::move(out_);
  }

 private:
  const Token& at(size_t index) const { return in_[std::min(index, in_.size() - 1)]; }

  size_t skip_group(size_t open) const {
    size_t depth = 0;
    for (size_t i = open; i < in_.size(); ++i) {
      if (in_[i].isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) ++depth;
      if (in_[i].isOneOf(tok::r_paren, tok::r_square, tok::r_brace) && --depth == 0) return i + 1;
    }
    return in_.size();
  }

  // Behind a template parameter or argument list.
  size_t skip_angles(size_t open, size_t end) const {
    int depth = 0;
    for (size_t i = open; i < end;) {
      if (in_[i].isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) {
        i = skip_group(i);
        continue;
      }
      if (in_[i].is(tok::less)) ++depth;
      if (in_[i].is(tok::greater)) --depth;
      if (in_[i].is(tok::greatergreater)) depth -= 2;
      if (in_[i].is(tok::semi)) return open + 1;
      ++i;
      if (depth <= 0) return i;
    }
    return open + 1;
  }

  // Copies one token, or one class with its methods qualified.
  size_t copy_until_class(size_t i, size_t end) {
    std::string_view word = word_of(in_[i]);
    bool starts_class = (word == "struct" || word == "class" || word == "union") &&
                        !(i > 0 && word_of(in_[i - 1]) == "enum");
    std::optional<size_t> body = starts_class ? find_body(i, end) : std::nullopt;
    if (in_[i].is(tok::coloncolon)) {
      if (std::optional<size_t> place = outside_definition(i)) {
        bool has_qualifier = word_of(in_[*place]) == "__private";
        for (; i < *place; ++i) out_.push_back(in_[i]);
        if (has_qualifier) return i + 1;
        out_.push_back(make_.identifier("__private", in_[i].getLocation()));
        return i;
      }
    }
    if (!body) {
      out_.push_back(in_[i]);
      return i + 1;
    }
    std::string_view name = class_name(i, *body);
    for (; i <= *body; ++i) out_.push_back(in_[i]);
    size_t close = skip_group(*body) - 1;
    collect_bound_methods(i, close, name);
    while (i < close) i = copy_member(i, close, name);
    return i;
  }

  // X<T>::name(…) const { outside of the class: where the qualifier goes, or stands and must go, so
  // that it says the same as inside.
  std::optional<size_t> outside_definition(size_t i) const {
    if (!at(i + 1).is(tok::identifier) || !at(i + 2).is(tok::l_paren)) return std::nullopt;
    std::string_view name = word_of(in_[i + 1]);
    size_t place = skip_group(i + 2);
    while (word_of(at(place)) == "const") ++place;
    bool is_missing = at(place).is(tok::l_brace) && qualified_.contains(name);
    bool is_superfluous = word_of(at(place)) == "__private" && at(place + 1).is(tok::l_brace) &&
                          unqualified_.contains(name);
    return is_missing || is_superfluous ? std::optional(place) : std::nullopt;
  }

  // The name in front of the parameter list that ends at `parameters_end`.
  size_t name_before(size_t parameters_end) const {
    size_t depth = 0;
    for (size_t i = parameters_end; i-- > 0;) {
      if (in_[i].is(tok::r_paren)) ++depth;
      if (in_[i].is(tok::l_paren) && --depth == 0) return i > 0 ? i - 1 : 0;
    }
    return 0;
  }

  // The '{' of a class definition; nothing for declarations, variables and template parameters.
  std::optional<size_t> find_body(size_t i, size_t end) const {
    for (++i; i < end;) {
      const Token& token = in_[i];
      if (token.is(tok::l_brace)) return i;
      if (token.is(tok::less)) {
        i = skip_angles(i, end);
      } else if (token.is(tok::l_square) ||
                 (token.is(tok::l_paren) && takes_parentheses(word_of(in_[i - 1])))) {
        i = skip_group(i);
      } else if (!word_of(token).empty() ||
                 token.isOneOf(tok::colon, tok::coloncolon, tok::comma)) {
        ++i;
      } else {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  std::string_view class_name(size_t i, size_t body) const {
    std::string_view name;
    for (++i; i < body && !in_[i].isOneOf(tok::colon, tok::less); ++i) {
      if (in_[i].is(tok::identifier)) name = word_of(in_[i]);
      if (at(i + 1).is(tok::l_paren) || in_[i].is(tok::l_square))
        i = skip_group(in_[i].is(tok::l_square) ? i : i + 1) - 1;
    }
    return name;
  }

  // Names of methods that must run on thread objects: those that change the object or return a
  // reference into it.
  void collect_bound_methods(size_t i, size_t end, std::string_view class_name) {
    bound_.clear();
    while (i < end) {
      if (is_separator(i)) {
        ++i;
        continue;
      }
      Member member = parse_member(i, end, class_name);
      if (!member.name.empty()) bound_.insert(member.name);
      i = member.end;
    }
  }

  // ';' and the parts of `public:` between members.
  bool is_separator(size_t i) const {
    return in_[i].isOneOf(tok::semi, tok::colon) ||
           (at(i + 1).is(tok::colon) && is_access(word_of(in_[i])));
  }

  size_t copy_member(size_t i, size_t end, std::string_view class_name) {
    if (is_separator(i)) {
      out_.push_back(in_[i]);
      return i + 1;
    }
    Member member = parse_member(i, end, class_name);
    if (!member.name.empty()) qualified_.insert(member.name);
    if (!member.generic_name.empty()) unqualified_.insert(member.generic_name);
    while (i < member.end) {
      if (member.qualifier == i)
        out_.push_back(make_.identifier("__private", in_[i].getLocation()));
      if (member.constness == i) out_.push_back(make_.identifier("const", in_[i].getLocation()));
      if (member.dropped == i) {
        ++i;
        continue;
      }
      i = copy_until_class(i, member.end);
    }
    return i;
  }

  static bool is_access(std::string_view word) {
    return word == "public" || word == "private" || word == "protected";
  }

  struct Member {
    size_t end = 0;                   // behind its ';' or '}'
    std::optional<size_t> qualifier;  // where the qualifier is missing
    std::optional<size_t> dropped;    // a constructor's `thread`
    std::optional<size_t> constness;  // where `const` is missing in front of `constant`
    std::string_view name;            // of the method that gets the qualifier
    std::string_view generic_name;    // of the method that loses it
  };

  Member parse_member(size_t begin, size_t end, std::string_view class_name) const {
    bool is_plain = true;
    bool has_initialiser = false;
    std::optional<size_t> parameters_end;
    bool is_constructor = false;
    size_t i = begin;
    while (i < end) {
      const Token& token = in_[i];
      std::string_view word = word_of(token);
      if (word == "static" || word == "friend" || word == "typedef" || word == "using" ||
          word == "static_assert" || word == "struct" || word == "class" || word == "union" ||
          word == "enum") {
        // A class keyword in front may also start an elaborated return type; such methods are rare.
        if (!parameters_end) is_plain = false;
      }
      if (token.is(tok::semi))
        return finish({begin, i + 1}, kind(is_plain, is_constructor), parameters_end);
      if (token.is(tok::l_brace)) {
        size_t close = skip_group(i);
        bool is_body = parameters_end.has_value();
        if (is_body) return finish({begin, close}, kind(is_plain, is_constructor), parameters_end);
        i = close;
      } else if (token.is(tok::equal) && !parameters_end && word_of(in_[i - 1]) != "operator") {
        has_initialiser = true;
        ++i;
      } else if (word == "operator" && !parameters_end) {
        // operator()(…): the first pair belongs to the name.
        i = at(i + 1).is(tok::l_paren) ? i + 3 : i + 1;
        while (i < end && !in_[i].isOneOf(tok::l_paren, tok::semi)) ++i;
        if (i >= end || in_[i].is(tok::semi)) continue;
        i = skip_group(i);
        parameters_end = i;
      } else if (token.is(tok::l_paren)) {
        std::string_view before = i > begin ? word_of(in_[i - 1]) : std::string_view();
        bool is_parameters = !parameters_end && !has_initialiser && i > begin &&
                             !takes_parentheses(before) && in_[i - 1].is(tok::identifier);
        is_constructor |= is_parameters && (before == class_name || is_destructor(i, begin));
        i = skip_group(i);
        if (is_parameters) parameters_end = i;
      } else if (token.is(tok::less) && !parameters_end) {
        i = skip_angles(i, end);
      } else if (token.is(tok::l_square)) {
        i = skip_group(i);
      } else if (token.is(tok::colon) && parameters_end && is_constructor) {
        i = skip_initialisers(i + 1, end);
      } else {
        ++i;
      }
    }
    return {end, {}, {}, {}, {}, {}};
  }

  bool is_destructor(size_t open, size_t begin) const {
    return open >= begin + 2 && in_[open - 2].is(tok::tilde);
  }

  // x(1), y{2} in front of a constructor's body: ends at the body's '{'.
  size_t skip_initialisers(size_t i, size_t end) const {
    while (i < end) {
      if (in_[i].isOneOf(tok::l_paren, tok::l_square)) {
        i = skip_group(i);
      } else if (in_[i].is(tok::l_brace)) {
        bool is_initialiser = in_[i - 1].isOneOf(tok::identifier, tok::greater);
        if (!is_initialiser) return i;
        i = skip_group(i);
      } else if (in_[i].is(tok::semi)) {
        return i;
      } else {
        ++i;
      }
    }
    return i;
  }

  enum class MemberKind { kOther, kMethod, kConstructor };
  static MemberKind kind(bool is_plain, bool is_constructor) {
    if (!is_plain) return MemberKind::kOther;
    return is_constructor ? MemberKind::kConstructor : MemberKind::kMethod;
  }

  struct Range {
    size_t begin;
    size_t end;
  };

  Member finish(Range range, MemberKind kind, std::optional<size_t> parameters_end) const {
    Member member{range.end, {}, {}, {}, {}, {}};
    if (kind == MemberKind::kOther || !parameters_end) return member;
    size_t i = *parameters_end;
    while (i < range.end && (word_of(in_[i]) == "const" || word_of(in_[i]) == "volatile")) ++i;
    bool is_const = i > *parameters_end;
    std::string_view qualifier = word_of(at(i));
    if (qualifier == "__private" && word_of(at(i + 1)) == "const") is_const = true;
    bool stays_generic = kind == MemberKind::kConstructor ||
                         (is_const && is_called_on_temporaries(range.begin, *parameters_end)) ||
                         (is_const && returns_value(range.begin, *parameters_end) &&
                          !uses_bound_methods(*parameters_end, range.end));
    if (qualifier == "__private") {
      if (stays_generic) {
        member.dropped = i;
        member.generic_name = word_of(at(name_before(*parameters_end)));
      }
    } else if (qualifier == "constant" && kind == MemberKind::kMethod && !is_const &&
               word_of(at(i + 1)) != "const") {
      member.constness = i;
    } else if (!stays_generic && !has_address_space(i, range.end) && !is_defaulted(i)) {
      member.qualifier = i;
      member.name = word_of(at(name_before(*parameters_end)));
    }
    return member;
  }

  // Conversions and operator() are mostly used on temporaries (`Op()(x)`), for which clang takes no
  // const method of thread objects.
  bool is_called_on_temporaries(size_t begin, size_t parameters_end) const {
    for (size_t i = begin; i < parameters_end; ++i) {
      if (word_of(in_[i]) != "operator") continue;
      bool is_call = at(i + 1).is(tok::l_paren);
      bool is_conversion = !word_of(at(i + 1)).empty();
      return is_call || is_conversion;
    }
    return false;
  }

  // Whether the result is a copy, neither void nor something that points into the object.
  bool returns_value(size_t begin, size_t parameters_end) const {
    size_t name = name_before(parameters_end);
    for (size_t i = begin; i < name; ++i) {
      if (in_[i].isOneOf(tok::amp, tok::star, tok::ampamp) || word_of(in_[i]) == "void" ||
          word_of(in_[i]) == "auto") {
        return false;
      }
    }
    return true;
  }

  bool uses_bound_methods(size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i) {
      if (bound_.contains(word_of(in_[i])) || word_of(in_[i]) == "this") return true;
    }
    return false;
  }

  bool has_address_space(size_t i, size_t end) const {
    for (; i < end && !in_[i].isOneOf(tok::l_brace, tok::semi, tok::equal, tok::arrow); ++i) {
      if (is_address_space(word_of(in_[i]))) return true;
    }
    return false;
  }

  bool is_defaulted(size_t i) const {
    return at(i).is(tok::equal) && word_of(at(i + 1)) == "default";
  }

  const std::vector<Token>& in_;
  const TokenBuilder& make_;
  std::vector<Token> out_;
  std::set<std::string_view> bound_;        // of the class at hand, see collect_bound_methods
  std::set<std::string_view> unqualified_;  // names of methods that lost their qualifier
  std::set<std::string_view> qualified_;    // names of methods that got the qualifier
};

}  // namespace

std::vector<clang::Token> qualify_methods(const std::vector<clang::Token>& tokens,
                                          const TokenBuilder& make) {
  return MethodQualifier(tokens, make).run();
}

}  // namespace assay::msl
