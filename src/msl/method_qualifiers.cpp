// See method_qualifiers.h. Decides for each member what happens to it, and copies it that way.
#include "msl/method_qualifiers.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "msl/class_members.h"
#include "msl/parameter_tokens.h"
#include "msl/token_builder.h"

namespace assay::msl {
namespace {

using clang::Token;
namespace tok = clang::tok;

// What is known of a class once all its members have been seen.
struct ClassFacts {
  std::set<std::string_view> bound;   // methods that need an object in thread memory
  std::set<std::string_view> arrays;  // fields that are arrays of the library
  std::set<std::string> qualified;    // outlines of the methods that have the qualifier
  std::set<std::string> unqualified;  // and of those that have lost it
  std::set<std::string_view> fields;
  std::set<std::string> signatures;  // of methods that change thread objects
  bool has_constant_constructor = false;
};

class MethodQualifier {
 public:
  MethodQualifier(const Tokens& in, const TokenBuilder& make) : in_(in), make_(make) {
    out_.reserve(in.size() + in.size() / 32);
  }

  Tokens run() {
    find_specialised_methods();
    for (size_t i = 0; i < in_.size();) i = copy_next(i);
    return std::move(out_);
  }

 private:
  // Copies one token, one class, or the head of a method that is defined outside of its class.
  size_t copy_next(size_t i) {
    if (auto tokens = parse_class(in_, i)) return copy_class(i, *tokens);
    if (in_[i].is(tok::coloncolon)) {
      if (auto end = copy_outside_definition(i)) return *end;
    }
    out_.push_back(in_[i]);
    return i + 1;
  }

  void copy(size_t begin, size_t end) {
    for (size_t i = begin; i < end;) i = copy_next(i);
  }

  void emit(std::string_view text, size_t at) {
    Tokens tokens = make_.snippet(text, in_[at].getLocation());
    out_.insert(out_.end(), tokens.begin(), tokens.end());
  }

  size_t copy_class(size_t i, const ClassTokens& tokens) {
    for (; i <= tokens.body; ++i) out_.push_back(in_[i]);
    ClassFacts facts = collect_facts(tokens);
    for (const Member& member : tokens.members) {
      for (; i < member.begin; ++i) out_.push_back(in_[i]);
      copy_member(member, tokens, facts);
      i = member.end;
    }
    for (; i < tokens.end; ++i) out_.push_back(in_[i]);
    classes_[tokens.name] = std::move(facts);
    return i;
  }

  // template <> void X<int>::name(…) …: the class has one `name` only, so that no other is called.
  void find_specialised_methods() {
    for (size_t i = 0; i + 2 < in_.size(); ++i) {
      bool starts =
          is_word(in_[i], "template") && in_[i + 1].is(tok::less) && in_[i + 2].is(tok::greater);
      if (!starts) continue;
      for (i += 3; !in_[i].isOneOf(tok::l_brace, tok::semi, tok::eof);) {
        if (in_[i].is(tok::coloncolon) && has_name(in_[i + 1])) {
          specialised_.insert(word_of(in_[i + 1]));
        }
        i = in_[i].is(tok::l_paren) ? in_.skip_group(i) : i + 1;
      }
    }
  }

  // --- facts -------------------------------------------------------------------------------------

  ClassFacts collect_facts(const ClassTokens& tokens) const {
    ClassFacts facts;
    for (std::string_view base : tokens.bases) {
      auto found = classes_.find(base);
      if (found == classes_.end()) continue;
      facts.bound.insert(found->second.bound.begin(), found->second.bound.end());
      facts.fields.insert(found->second.fields.begin(), found->second.fields.end());
      facts.arrays.insert(found->second.arrays.begin(), found->second.arrays.end());
    }
    for (const Member& member : tokens.members) {
      if (member.kind == MemberKind::kField) {
        facts.fields.insert(member.name);
        // metal::array has methods for each kind of memory, and none for all.
        if (mentions(member.begin, member.end, {"array"})) facts.arrays.insert(member.name);
      }
      if (member.kind == MemberKind::kConstructor && member.qualifier) {
        facts.has_constant_constructor |= is_word(in_[*member.qualifier], "constant");
      }
      if (member.kind == MemberKind::kMethod && !member.is_const && is_for_thread(member)) {
        facts.signatures.insert(signature(member));
      }
    }
    // A method that calls a bound one is bound itself.
    for (size_t before = SIZE_MAX; before != facts.bound.size();) {
      before = facts.bound.size();
      for (const Member& member : tokens.members) {
        if (member.kind == MemberKind::kMethod && needs_thread_object(member, facts)) {
          facts.bound.insert(member.name);
        }
      }
      facts.bound.erase("operator");
    }
    for (const Member& member : tokens.members) {
      if (member.kind != MemberKind::kMethod || !is_for_thread(member)) continue;
      bool is_bound = needs_thread_object(member, facts);
      (is_bound ? facts.qualified : facts.unqualified)
          .insert(outline(member.name_at, member.is_const));
    }
    return facts;
  }

  bool is_for_thread(const Member& member) const {
    return !member.qualifier || is_word(in_[*member.qualifier], "__private");
  }

  std::string text_of(size_t begin, size_t end, std::optional<size_t> without = {}) const {
    std::string text;
    for (size_t i = begin; i < end; ++i) {
      if (i == without) continue;
      text += has_name(in_[i]) ? std::string(word_of(in_[i])) : in_[i].getName();
      text += ' ';
    }
    return text;
  }

  // The '(' of the parameter list of a method whose name, maybe an operator's, stands at `name_at`.
  size_t parameters_of(size_t name_at) const {
    size_t i = name_at + 1;
    if (is_word(in_[name_at], "operator")) {
      if (in_[i].is(tok::l_paren)) i += 2;
      while (!in_[i].isOneOf(tok::l_paren, tok::semi, tok::eof)) ++i;
    } else if (in_[i].is(tok::less)) {
      i = in_.skip_angles(i).value_or(i);
    }
    return i;
  }

  // Name and types of the parameters, as written.
  std::string signature(const Member& member) const {
    size_t open = parameters_of(member.name_at);
    std::string text = text_of(member.name_at, open + 1);
    for (const ParameterTokens& parameter : parse_parameters(in_, open)) {
      text += text_of(parameter.begin, parameter.end, parameter.name) + ", ";
    }
    return text;
  }

  // What a definition outside of the class has in common with the declaration inside: the types of
  // the parameters may be those of a specialisation.
  std::string outline(size_t name_at, bool is_const) const {
    size_t open = parameters_of(name_at);
    bool is_operator = is_word(in_[name_at], "operator");
    return text_of(name_at, is_operator ? open : name_at + 1) +
           std::to_string(parse_parameters(in_, open).size()) + (is_const ? " const" : "");
  }

  bool is_defaulted(const Member& member) const {
    for (size_t i = member.parameters_end; !member.body && i + 1 < member.end; ++i) {
      if (in_[i].is(tok::equal) && is_word(in_[i + 1], "default")) return true;
    }
    return false;
  }

  // Whether `this` of a method must point to thread memory. Const methods that the compiler itself
  // may have to run, and those without a body in the class, take any object if they only give back
  // a copy.
  bool needs_thread_object(const Member& member, const ClassFacts& facts) const {
    if (!is_for_thread(member) || is_defaulted(member)) return false;
    if (!member.is_const || (member.body && !member.is_constexpr)) return true;
    if (is_called_on_temporaries(member)) return false;
    return !returns_value(member) || mentions_object(member.parameters_end, member.end, facts) ||
           mentions(member.parameters_end, member.end, facts.arrays);
  }

  // Conversions and operator().
  bool is_called_on_temporaries(const Member& member) const {
    if (!is_word(in_[member.name_at], "operator")) return false;
    const Token& what = in_[member.name_at + 1];
    return what.is(tok::l_paren) || has_name(what);
  }

  // Whether the result is a copy, neither void nor something that points into the object.
  bool returns_value(const Member& member) const {
    for (size_t i = member.begin; i < member.name_at; ++i) {
      if (in_[i].isOneOf(tok::amp, tok::star, tok::ampamp) || is_word(in_[i], "void") ||
          is_word(in_[i], "auto")) {
        return false;
      }
    }
    return true;
  }

  bool mentions(size_t begin, size_t end, const std::set<std::string_view>& words) const {
    for (size_t i = begin; i < end; ++i) {
      if (words.contains(word_of(in_[i]))) return true;
    }
    return false;
  }

  bool mentions_object(size_t begin, size_t end, const ClassFacts& facts) const {
    return mentions(begin, end, facts.bound) || mentions(begin, end, {"this"});
  }

  // --- members -----------------------------------------------------------------------------------

  void copy_member(const Member& member, const ClassTokens& tokens, const ClassFacts& facts) {
    if (member.function_pointer) return copy_function_pointer(member);
    switch (member.kind) {
      case MemberKind::kOther:
      case MemberKind::kField: return copy(member.begin, member.end);
      case MemberKind::kConstructor: return copy_constructor(member, tokens, facts);
      case MemberKind::kMethod: return copy_method(member, facts);
    }
  }

  // int (*f)(int); → type_is<int (*)(int)> f; inside of a class, clang takes every function type
  // for a method's.
  void copy_function_pointer(const Member& member) {
    constexpr std::string_view kSpecifiers[] = {"typedef", "static", "constexpr", "mutable"};
    size_t i = member.begin;
    while (is_one_of_words(in_[i], kSpecifiers)) ++i;
    copy(member.begin, i);
    emit("::metal::__assay::type_is<", i);
    copy(i, *member.function_pointer);
    copy(*member.function_pointer + 1, member.declarator_end);
    emit(">", member.declarator_end);
    copy(*member.function_pointer, *member.function_pointer + 1);
    copy(member.declarator_end, member.end);
  }

  void copy_method(const Member& member, const ClassFacts& facts) {
    bool is_assignment = in_[member.name_at + 1].is(tok::equal);
    if (is_defaulted(member)) {
      // An assignment comes by itself, with the types that clang wants.
      if (!is_assignment) copy(member.begin, member.end);
    } else if (needs_thread_object(member, facts)) {
      copy_qualified(member, member.is_const ? "const __private" : "__private");
      // clang takes no const method of thread objects for the result of a call.
      constexpr int kMaxCopiesInside = 2;
      bool is_taken =
          facts.signatures.contains(signature(member)) || specialised_.contains(member.name);
      if (!member.is_const || !member.body || is_taken || twins_ >= kMaxCopiesInside) return;
      ++twins_;
      copy_qualified(member, "__private");
      --twins_;
    } else if (is_for_thread(member)) {
      copy_qualified(member, member.is_const ? "const" : "");
    } else {
      bool is_constant = is_word(in_[*member.qualifier], "constant");
      if (is_constant && !member.is_const) {
        copy_qualified(member, "const constant");
      } else {
        copy(member.begin, member.end);
      }
    }
  }

  // With other qualifiers than the member has. Volatile objects have no methods in Metal.
  void copy_qualified(const Member& member, std::string_view qualifiers) {
    copy(member.begin, member.parameters_end);
    emit(qualifiers, member.parameters_end);
    copy(behind_qualifiers(member), member.end);
  }

  size_t behind_qualifiers(const Member& member) const {
    constexpr std::string_view kQualifiers[] = {"const",    "volatile",   "__private",
                                                "constant", "__constant", "__generic"};
    size_t i = member.parameters_end;
    while (i < member.end && is_one_of_words(in_[i], kQualifiers)) ++i;
    return i;
  }

  // --- constructors ------------------------------------------------------------------------------

  void copy_constructor(const Member& member, const ClassTokens& tokens, const ClassFacts& facts) {
    if (!is_for_thread(member) || !member.body) {
      if (is_for_thread(member)) {
        copy_qualified(member, "");
      } else {
        copy(member.begin, member.end);
      }
      return;
    }
    copy(member.begin, member.parameters_end);
    copy_with_own_object(behind_qualifiers(member), *member.body, tokens.name, facts);
    if (!member.is_constexpr && calls_something(*member.body, member.end)) {
      copy_body_as_method(member, tokens.name);
    } else {
      copy_with_own_object(*member.body, member.end, tokens.name, facts);
    }
    // Objects in constant memory are made by the compiler.
    bool is_empty = *member.body + 2 == member.end;
    if (member.is_constexpr && is_empty && !facts.has_constant_constructor &&
        !mentions_object(member.parameters_end, member.end, facts)) {
      copy_qualified(member, "constant");
    }
  }

  bool calls_something(size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i) {
      bool is_call = in_[i].is(tok::l_paren) &&
                     in_.before(i).isOneOf(tok::identifier, tok::greater, tok::r_square);
      if (is_call || is_word(in_[i], "this")) return true;
    }
    return false;
  }

  // X(int n) : a(n) { f(a); } → X(int n) : a(n) { ((thread X*)this)->m(n); } void m(int n) { f(a);
  // }
  void copy_body_as_method(const Member& member, std::string_view class_name) {
    std::string name = "__assay_construct_" + std::to_string(constructors_++);
    size_t body = *member.body;
    std::vector<ParameterTokens> parameters = parse_parameters(in_, member.name_at + 1);
    std::erase_if(parameters, [](const ParameterTokens& parameter) { return !parameter.name; });
    emit("{" + own_object(class_name) + "->" + name + "(", body);
    for (const ParameterTokens& parameter : parameters) {
      if (parameter.begin != parameters.front().begin) emit(",", body);
      emit_argument(parameter);
    }
    emit("); }", body);
    if (is_word(in_[member.begin], "template")) {
      copy(member.begin, in_.skip_angles(member.begin + 1).value_or(member.begin));
    }
    emit("inline __attribute__((always_inline)) void " + name + "(", body);
    for (const ParameterTokens& parameter : parameters) {
      if (parameter.begin != parameters.front().begin) emit(",", body);
      copy(parameter.begin, parameter.end);
    }
    emit(") __private", body);
    copy(body, member.end);
  }

  void emit_argument(const ParameterTokens& parameter) {
    std::string name(word_of(in_[*parameter.name]));
    if (parameter.is_rvalue_reference) name = "static_cast<decltype(" + name + ")&&>(" + name + ")";
    emit(name + (parameter.is_pack ? "..." : ""), *parameter.name);
  }

  static std::string own_object(std::string_view class_name) {
    return "((__private " + std::string(class_name) + "*)this)";
  }

  // Where `this` is generic and must not be: calls of the class's own methods, and of its fields'.
  void copy_with_own_object(size_t begin, size_t end, std::string_view class_name,
                            const ClassFacts& facts) {
    for (size_t i = begin; i < end;) {
      bool is_capture = in_[i].is(tok::l_square) &&
                        !in_.before(i).isOneOf(tok::identifier, tok::r_paren, tok::r_square);
      if (is_capture) {
        size_t close = in_.skip_group(i);
        copy(i, close);
        i = close;
      } else if (is_word(in_[i], "this")) {
        emit(own_object(class_name), i++);
      } else {
        if (uses_own_object(i, facts)) emit(own_object(class_name) + "->", i);
        i = copy_next(i);
      }
    }
  }

  bool uses_own_object(size_t i, const ClassFacts& facts) const {
    if (!in_[i].is(tok::identifier) ||
        in_.before(i).isOneOf(tok::period, tok::arrow, tok::coloncolon)) {
      return false;
    }
    std::string_view word = word_of(in_[i]);
    bool is_method_call = facts.bound.contains(word) && in_[i + 1].isOneOf(tok::l_paren, tok::less);
    bool is_field_call = facts.fields.contains(word) && in_[i + 1].is(tok::period) &&
                         in_[i + 2].is(tok::identifier) && in_[i + 3].is(tok::l_paren);
    return is_method_call || is_field_call;
  }

  // --- definitions outside of the class ----------------------------------------------------------

  // X<T>::name(…) const {: the qualifiers must say the same as inside. `i` is at the '::'.
  std::optional<size_t> copy_outside_definition(size_t i) {
    size_t name_at = i + 1;
    if (!in_[name_at].is(tok::identifier) && !is_word(in_[name_at], "operator")) {
      return std::nullopt;
    }
    size_t open = parameters_of(name_at);
    std::string_view class_name = class_before(i);
    auto found = classes_.find(class_name);
    if (!in_[open].is(tok::l_paren) || found == classes_.end()) return std::nullopt;
    const ClassFacts& facts = found->second;
    size_t place = in_.skip_group(open);
    if (word_of(in_[name_at]) == class_name) {
      return copy_outside_constructor(i, place, class_name, facts);
    }
    bool is_const = is_word(in_[place], "const");
    if (is_const) ++place;
    std::string name = outline(name_at, is_const);
    bool is_missing = in_[place].is(tok::l_brace) && facts.qualified.contains(name);
    bool is_superfluous = is_word(in_[place], "__private") && in_[place + 1].is(tok::l_brace) &&
                          facts.unqualified.contains(name);
    if (!is_missing && !is_superfluous) return std::nullopt;
    for (; i < place; ++i) out_.push_back(in_[i]);
    if (is_superfluous) return i + 1;
    out_.push_back(make_.identifier("__private", in_[i].getLocation()));
    return i;
  }

  std::optional<size_t> copy_outside_constructor(size_t i, size_t head_end,
                                                 std::string_view class_name,
                                                 const ClassFacts& facts) {
    size_t body = head_end;
    while (body < in_.size() && !in_[body].isOneOf(tok::l_brace, tok::semi, tok::eof)) {
      bool is_initialiser = in_[body].is(tok::identifier) && in_[body + 1].is(tok::l_brace);
      bool opens = in_[body].isOneOf(tok::l_paren, tok::l_square);
      body = is_initialiser ? in_.skip_group(body + 1) : opens ? in_.skip_group(body) : body + 1;
    }
    if (!in_[body].is(tok::l_brace)) return std::nullopt;
    for (; i < head_end; ++i) out_.push_back(in_[i]);
    size_t end = in_.skip_group(body);
    copy_with_own_object(head_end, end, class_name, facts);
    return end;
  }

  // X in X::name and X<T>::name.
  std::string_view class_before(size_t colons) const {
    size_t i = colons;
    if (i > 0 && in_[i - 1].is(tok::greater)) {
      constexpr size_t kMaxTokens = 512;
      size_t depth = 0;
      do {
        --i;
        if (in_[i].is(tok::greater)) ++depth;
        if (in_[i].is(tok::greatergreater)) depth += 2;
        if (in_[i].is(tok::less)) depth -= std::min<size_t>(depth, 1);
      } while (i > 0 && depth > 0 && colons - i < kMaxTokens);
    }
    return i > 0 ? word_of(in_[i - 1]) : std::string_view();
  }

  const TokenSequence in_;
  const TokenBuilder& make_;
  Tokens out_;
  std::map<std::string_view, ClassFacts> classes_;
  std::set<std::string_view> specialised_;  // methods with explicit specialisations
  int twins_ = 0;                           // copies of methods around the one at hand
  int constructors_ = 0;
};

}  // namespace

Tokens qualify_methods(const Tokens& tokens, const TokenBuilder& make) {
  return MethodQualifier(tokens, make).run();
}

}  // namespace assay::msl
