// See token_pass.h. One left-to-right walk; each rewrite handles one construct and is named after
// it.
#include "msl/token_pass.h"

#include <clang/Lex/LiteralSupport.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

#include "msl/method_qualifiers.h"
#include "msl/token_builder.h"

namespace assay::msl {
namespace {

using clang::Token;
namespace tok = clang::tok;

using Tokens = std::vector<Token>;

bool is_word(const Token& token, std::string_view word) {
  const clang::IdentifierInfo* info =
      token.isAnnotation() || token.isLiteral() ? nullptr : token.getIdentifierInfo();
  return info != nullptr && std::string_view(info->getName()) == word;
}

bool is_one_of_words(const Token& token, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return is_word(token, word); });
}

bool has_name(const Token& token) {
  return !token.isAnnotation() && !token.isLiteral() && token.getIdentifierInfo() != nullptr;
}

// Attributes of MSL that the reflection reads. Everything else in [[…]] is left to clang.
constexpr std::string_view kMetalAttributes[] = {"kernel",
                                                 "buffer",
                                                 "threadgroup",
                                                 "function_constant",
                                                 "host_name",
                                                 "id",
                                                 "max_total_threads_per_threadgroup",
                                                 "required_threads_per_threadgroup",
                                                 "thread_position_in_grid",
                                                 "thread_position_in_threadgroup",
                                                 "thread_index_in_threadgroup",
                                                 "threadgroup_position_in_grid",
                                                 "threads_per_grid",
                                                 "threads_per_threadgroup",
                                                 "threadgroups_per_grid",
                                                 "dispatch_threads_per_threadgroup",
                                                 "grid_origin",
                                                 "grid_size",
                                                 "thread_index_in_simdgroup",
                                                 "simdgroup_index_in_threadgroup",
                                                 "simdgroups_per_threadgroup",
                                                 "dispatch_simdgroups_per_threadgroup",
                                                 "threads_per_simdgroup",
                                                 "thread_execution_width",
                                                 "thread_index_in_quadgroup",
                                                 "quadgroup_index_in_threadgroup",
                                                 "quadgroups_per_threadgroup",
                                                 "dispatch_quadgroups_per_threadgroup",
                                                 "texture",
                                                 "sampler",
                                                 "stage_in",
                                                 "payload"};

constexpr std::string_view kGraphicsStages[] = {"vertex", "fragment",     "mesh",
                                                "object", "intersection", "visible"};

constexpr std::string_view kDeclarationSpecifiers[] = {"static",   "const",  "constexpr",
                                                       "volatile", "inline", "extern"};

constexpr std::string_view kScalarNames[] = {
    "bool",    "char",    "short",   "int",     "long",     "uchar",    "ushort",
    "uint",    "ulong",   "half",    "float",   "bfloat",   "size_t",   "int8_t",
    "uint8_t", "int16_t", "int32_t", "int64_t", "uint16_t", "uint32_t", "uint64_t"};

class TokenPass {
 public:
  TokenPass(Tokens tokens, clang::Preprocessor& preprocessor)
      : in_(std::move(tokens)), preprocessor_(preprocessor), make_(preprocessor) {
    result_.tokens.reserve(in_.size() + in_.size() / 8);
  }

  TokenPassResult run() {
    while (position_ < in_.size()) step();
    result_.tokens = qualify_methods(result_.tokens, make_);
    return std::move(result_);
  }

 private:
  const Token& at(size_t index) const { return in_[std::min(index, in_.size() - 1)]; }
  void emit(const Token& token) { result_.tokens.push_back(token); }
  void emit(const Tokens& tokens) {
    result_.tokens.insert(result_.tokens.end(), tokens.begin(), tokens.end());
  }

  void step() {
    const Token& token = in_[position_];
    bool starts_statement = at_statement_start();
    if (starts_statement && rewrite_statement()) return;
    if (rewrite_conditional_arm()) return;
    bool names_type = is_word(token, "typedef") || is_word(token, "using");
    if (names_type && rewrite_function_typedef()) return;
    if (is_attribute_list(position_)) {
      position_ = rewrite_attributes(position_, result_.tokens);
    } else if (is_thread_of_scalar_reference()) {
      ++position_;
    } else if (is_word(token, "template") && at(position_ + 1).is(tok::less)) {
      rewrite_template_parameters();
    } else if (is_word(token, "kernel")) {
      emit(make_.snippet("__attribute__((annotate(\"msl.kernel\")))", token.getLocation()));
      ++position_;
    } else if (is_word(token, "is_function_constant_defined") &&
               at(position_ + 1).is(tok::l_paren)) {
      rewrite_defined_query();
    } else if (is_word(token, "static_cast") && at(position_ + 1).is(tok::less)) {
      rewrite_static_cast();
    } else if (is_bfloat_literal(token)) {
      std::string text = preprocessor_.getSpelling(token);
      text.resize(text.size() - 2);
      emit(make_.snippet("((__bf16)" + text + "f)", token.getLocation()));
      ++position_;
    } else if (is_word(token, "coherent") && at(position_ + 1).is(tok::l_paren) &&
               is_address_space(at(position_ - (position_ > 0 ? 1 : 0)))) {
      position_ = skip_group(position_ + 1);
    } else {
      track_parentheses(token);
      if (lacks_const(position_)) emit(make_.identifier("const", token.getLocation()));
      emit(with_metal_keyword(token));
      ++position_;
    }
  }

  bool rewrite_statement() {
    const Token& token = in_[position_];
    if (is_word(token, "template") && !at(position_ + 1).is(tok::less)) {
      return rewrite_explicit_instantiation();
    }
    if (is_one_of_words(token, kGraphicsStages) && report_graphics_stage()) return true;
    std::optional<Declaration> declaration = parse_declaration();
    if (!declaration) return false;
    if (declaration->is_threadgroup) return rewrite_threadgroup_variables(*declaration);
    if (declaration->function_constant) return rewrite_function_constant(*declaration);
    if (declaration->is_constant) return rewrite_constant_variable(*declaration);
    return false;
  }

  // --- helpers -----------------------------------------------------------------------------------

  bool at_statement_start() const {
    if (result_.tokens.empty()) return true;
    const Token& previous = result_.tokens.back();
    return previous.isOneOf(tok::semi, tok::l_brace, tok::r_brace, tok::colon) ||
           (previous.is(tok::r_paren) && parentheses_ == 0) || is_word(previous, "else") ||
           previous.isAnnotation();
  }

  void track_parentheses(const Token& token) {
    if (token.is(tok::question)) ++conditionals_;
    if (token.is(tok::semi)) conditionals_ = 0;
    if (token.is(tok::colon)) {
      colon_is_conditional_ = conditionals_ > 0;
      if (conditionals_ > 0) --conditionals_;
    }
    if (token.is(tok::l_paren)) ++parentheses_;
    if (token.is(tok::r_paren) && parentheses_ > 0) --parentheses_;
    // A lambda's body inside a call starts statements of its own.
    if (token.is(tok::l_brace)) {
      brace_parentheses_.push_back(parentheses_);
      parentheses_ = 0;
    }
    if (token.is(tok::r_brace) && !brace_parentheses_.empty()) {
      parentheses_ = brace_parentheses_.back();
      brace_parentheses_.pop_back();
    }
  }

  static bool is_address_space(const Token& token) {
    return is_word(token, "device") || is_word(token, "threadgroup") ||
           is_word(token, "constant") || is_word(token, "thread");
  }

  Token with_metal_keyword(const Token& token) const {
    if (is_word(token, "device")) return make_.identifier("__global", token.getLocation());
    if (is_word(token, "threadgroup")) return make_.identifier("__local", token.getLocation());
    if (is_word(token, "thread")) return make_.identifier("__private", token.getLocation());
    return token;
  }

  // Constant memory is const, written or not. Behind a parameter list the word qualifies `this`;
  // there method_qualifiers.cpp decides.
  bool lacks_const(size_t index) const {
    if (!is_word(in_[index], "constant")) return false;
    const Token& before = at(index - (index > 0 ? 1 : 0));
    return !is_word(before, "const") && !before.is(tok::r_paren) &&
           !is_word(at(index + 1), "const");
  }

  // Index behind the group that opens at `open` with ( [ or {; the end of the file if it never
  // closes.
  size_t skip_group(size_t open) const {
    size_t depth = 0;
    for (size_t i = open; i < in_.size(); ++i) {
      if (in_[i].isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) ++depth;
      if (in_[i].isOneOf(tok::r_paren, tok::r_square, tok::r_brace) && --depth == 0) return i + 1;
    }
    return in_.size() - 1;
  }

  // Index behind the template argument list that opens at `open`; nothing if it is a comparison.
  std::optional<size_t> skip_angles(size_t open) const {
    int depth = 0;
    for (size_t i = open; i < in_.size();) {
      const Token& token = in_[i];
      if (token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) {
        i = skip_group(i);
        continue;
      }
      if (token.is(tok::less)) ++depth;
      if (token.is(tok::greater)) depth -= 1;
      if (token.is(tok::greatergreater)) depth -= 2;
      if (token.isOneOf(tok::semi, tok::r_paren, tok::r_brace, tok::eof)) return std::nullopt;
      ++i;
      if (depth <= 0) return i;
    }
    return std::nullopt;
  }

  // --- attributes --------------------------------------------------------------------------------

  bool is_attribute_list(size_t index) const {
    return at(index).is(tok::l_square) && at(index + 1).is(tok::l_square);
  }

  // [[buffer(0), maybe_unused]] → [[clang::annotate("msl.buffer", 0), maybe_unused]]
  size_t rewrite_attributes(size_t index, Tokens& out) {
    size_t end = skip_group(index);
    out.push_back(in_[index]);
    out.push_back(in_[index + 1]);
    for (size_t i = index + 2; i + 2 < end;) {
      size_t item_end = i;
      while (item_end + 2 < end && !in_[item_end].is(tok::comma)) {
        item_end = in_[item_end].is(tok::l_paren) ? skip_group(item_end) : item_end + 1;
      }
      rewrite_attribute(i, item_end, out);
      if (item_end + 2 < end) out.push_back(in_[item_end]);
      i = item_end + 1;
    }
    if (end >= 2) {
      out.push_back(at(end - 2));
      out.push_back(at(end - 1));
    }
    return end;
  }

  void rewrite_attribute(size_t begin, size_t end, Tokens& out) {
    const Token& name = in_[begin];
    if (begin != end) report_misspelt_attribute(begin);
    if (begin == end || !is_one_of_words(name, kMetalAttributes) ||
        at(begin + 1).is(tok::coloncolon)) {
      out.insert(out.end(), in_.begin() + begin, in_.begin() + end);
      return;
    }
    clang::SourceLocation location = name.getLocation();
    std::string word(name.getIdentifierInfo()->getName());
    out.push_back(make_.identifier("clang", location));
    out.push_back(make_.punctuation(tok::coloncolon, location));
    out.push_back(make_.identifier("annotate", location));
    out.push_back(make_.punctuation(tok::l_paren, location));
    out.push_back(make_.string(kAnnotationPrefix + word, location));
    if (begin + 1 < end && in_[begin + 1].is(tok::l_paren)) {
      bool names_constant = word == "function_constant" && parentheses_ > 0;
      out.push_back(make_.punctuation(tok::comma, location));
      if (names_constant) {
        out.push_back(make_.string(spelling(begin + 2, end - 1), location));
      } else {
        out.insert(out.end(), in_.begin() + begin + 2, in_.begin() + end - 1);
      }
    }
    out.push_back(make_.punctuation(tok::r_paren, location));
  }

  // An attribute that is nearly one of Metal's is a slip; others are left to clang, which ignores
  // them.
  void report_misspelt_attribute(size_t index) {
    constexpr unsigned kMaxEdits = 3;
    const Token& name = in_[index];
    bool is_known = !has_name(name) || is_one_of_words(name, kMetalAttributes) ||
                    at(index + 1).is(tok::coloncolon);
    llvm::StringRef word = has_name(name) ? name.getIdentifierInfo()->getName() : "";
    if (is_known || word.size() < 2 * kMaxEdits) return;
    for (std::string_view attribute : kMetalAttributes) {
      llvm::StringRef known(attribute.data(), attribute.size());
      if (word.edit_distance(known, /*AllowReplacements=*/true, kMaxEdits) > kMaxEdits) continue;
      result_.messages.push_back(
          {name.getLocation(), Severity::kError,
           "unknown attribute '" + word.str() + "'; did you mean '" + known.str() + "'?",
           "write [[" + known.str() + "]]"});
      return;
    }
  }

  std::string spelling(size_t begin, size_t end) const {
    std::string text;
    for (size_t i = begin; i < end; ++i) text += preprocessor_.getSpelling(in_[i]);
    return text;
  }

  // --- explicit instantiations -------------------------------------------------------------------

  // Keeps the instantiation, drops its attributes and remembers the host name.
  bool rewrite_explicit_instantiation() {
    KernelInstantiation instantiation;
    bool is_kernel = false;
    emit(in_[position_++]);
    size_t name = 0;
    bool name_is_final = false;
    while (position_ < in_.size() && !in_[position_].isOneOf(tok::semi, tok::eof, tok::r_brace)) {
      const Token& token = in_[position_];
      if (is_attribute_list(position_)) {
        is_kernel |= read_instantiation_attributes(instantiation);
        position_ = skip_group(position_);
        continue;
      }
      if (is_word(token, "kernel")) {
        is_kernel = true;
        ++position_;
        continue;
      }
      if (token.is(tok::l_paren)) {
        bool is_declarator = !is_word(at(position_ - 1), "decltype");
        name_is_final |= is_declarator;
        size_t end = skip_group(position_);
        emit_without_attributes(end);
        continue;
      }
      if (token.is(tok::less)) {
        size_t end = skip_angles(position_).value_or(position_ + 1);
        emit_without_attributes(end);
        continue;
      }
      if (has_name(token) && !name_is_final) name = position_;
      emit(with_metal_keyword(token));
      ++position_;
    }
    if (is_kernel) {
      instantiation.name_location = in_[name].getLocation();
      result_.instantiations.push_back(std::move(instantiation));
    }
    return true;
  }

  void emit_without_attributes(size_t end) {
    while (position_ < end) {
      if (is_attribute_list(position_)) {
        position_ = skip_group(position_);
      } else {
        emit(rewritten(position_, position_ + 1));
        ++position_;
      }
    }
  }

  bool read_instantiation_attributes(KernelInstantiation& instantiation) {
    bool is_kernel = false;
    size_t end = skip_group(position_);
    for (size_t i = position_; i < end; ++i) {
      if (is_word(in_[i], "kernel")) is_kernel = true;
      if (!is_word(in_[i], "host_name") || !at(i + 1).is(tok::l_paren)) continue;
      is_kernel = true;
      size_t close = skip_group(i + 1) - 1;
      Tokens literals(in_.begin() + i + 2, in_.begin() + close);
      bool all_strings = !literals.empty() && std::ranges::all_of(literals, [](const Token& token) {
        return token.is(tok::string_literal);
      });
      if (!all_strings) {
        result_.messages.push_back({in_[i].getLocation(), Severity::kError,
                                    "host_name needs a string", "write [[host_name(\"name\")]]"});
        continue;
      }
      clang::StringLiteralParser parser(literals, preprocessor_);
      if (!parser.hadError) instantiation.host_name = parser.GetString().str();
    }
    return is_kernel;
  }

  // --- template parameters -----------------------------------------------------------------------

  // Function-pointer parameters become function references, which the base language takes:
  // template <float (*F)(float)> → template <float (&F)(float)>
  void rewrite_template_parameters() {
    std::optional<size_t> end = skip_angles(position_ + 1);
    emit(in_[position_++]);
    if (end) emit_function_references(*end);
  }

  // typedef float (*F)(float); the same way, because F may be the type of such a parameter.
  bool rewrite_function_typedef() {
    size_t end = position_;
    while (end < in_.size() && !in_[end].isOneOf(tok::semi, tok::l_brace, tok::eof)) ++end;
    if (!at(end).is(tok::semi)) return false;
    emit_function_references(end);
    return true;
  }

  void emit_function_references(size_t end) {
    while (position_ < end) {
      const Token& token = in_[position_];
      bool is_function_pointer =
          token.is(tok::star) && at(position_ - 1).is(tok::l_paren) &&
          ((at(position_ + 1).is(tok::identifier) && at(position_ + 2).is(tok::r_paren) &&
            at(position_ + 3).is(tok::l_paren)) ||
           (at(position_ + 1).is(tok::r_paren) && at(position_ + 2).is(tok::l_paren)));
      if (is_function_pointer) {
        emit(make_.punctuation(tok::amp, token.getLocation()));
      } else {
        emit(rewritten(position_, position_ + 1));
      }
      ++position_;
    }
  }

  // --- declarations ------------------------------------------------------------------------------

  struct Declarator {
    size_t name = 0;
    size_t dimensions_end = 0;  // the dimensions follow the name
  };

  // `specifiers T name[dims], name2;` at the start of a statement.
  struct Declaration {
    bool is_threadgroup = false;
    bool is_constant = false;
    bool has_static = false;
    bool has_extern = false;
    std::optional<size_t> function_constant;  // index of its attribute list
    std::optional<size_t> alignment;          // index of alignas
    size_t type_begin = 0;
    std::vector<Declarator> declarators;
    std::optional<size_t> initialiser;  // index of '=' or '{'
    size_t end = 0;                     // index of ';'
  };

  // Nothing unless the statement declares variables (not pointers, references or functions) in
  // threadgroup or constant memory.
  std::optional<Declaration> parse_declaration() const {
    Declaration declaration;
    size_t i = position_;
    for (; i < in_.size(); ++i) {
      const Token& token = in_[i];
      if (is_word(token, "threadgroup")) {
        declaration.is_threadgroup = true;
      } else if (is_word(token, "constant")) {
        declaration.is_constant = true;
      } else if (is_word(token, "static")) {
        declaration.has_static = true;
      } else if (is_word(token, "extern")) {
        declaration.has_extern = true;
      } else if (is_word(token, "alignas") && at(i + 1).is(tok::l_paren)) {
        declaration.alignment = i;
        i = skip_group(i + 1) - 1;
      } else if (!is_one_of_words(token, kDeclarationSpecifiers)) {
        break;
      }
    }
    // The address space may follow the type: `const float4 constant table[…]` is not seen in
    // practice, `static constexpr constant` and any order of specifiers before the type are.
    if (!declaration.is_threadgroup && !declaration.is_constant) return std::nullopt;
    declaration.type_begin = i;
    if (!parse_declarators(i, declaration)) return std::nullopt;
    return declaration;
  }

  bool parse_declarators(size_t i, Declaration& declaration) const {
    std::optional<size_t> last_name;
    size_t type_tokens = 0;
    for (; i < in_.size(); ++i) {
      const Token& token = in_[i];
      if (token.is(tok::less)) {
        std::optional<size_t> end = skip_angles(i);
        if (!end) return false;
        i = *end - 1;
        last_name.reset();
        ++type_tokens;
      } else if (is_word(token, "decltype") && at(i + 1).is(tok::l_paren)) {
        i = skip_group(i + 1) - 1;
        ++type_tokens;
      } else if (is_attribute_list(i)) {
        size_t end = skip_group(i);
        for (size_t j = i; j < end; ++j) {
          if (is_word(in_[j], "function_constant")) declaration.function_constant = i;
        }
        if (last_name) declaration.declarators.push_back({*last_name, *last_name + 1});
        last_name.reset();
        i = end - 1;
      } else if (token.is(tok::l_square)) {
        if (!last_name || type_tokens == 0) return false;
        size_t name = *last_name;
        while (at(i).is(tok::l_square) && !is_attribute_list(i)) i = skip_group(i);
        declaration.declarators.push_back({name, i});
        last_name.reset();
        --i;
      } else if (token.isOneOf(tok::comma, tok::semi, tok::equal, tok::l_brace)) {
        if (last_name && type_tokens == 0 && declaration.declarators.empty()) return false;
        if (last_name) declaration.declarators.push_back({*last_name, *last_name + 1});
        last_name.reset();
        if (declaration.declarators.empty()) return false;
        if (token.is(tok::semi)) {
          declaration.end = i;
          return true;
        }
        if (!token.is(tok::comma)) {
          declaration.initialiser = i;
          declaration.end = find_semicolon(i);
          return true;
        }
        type_tokens = 1;
      } else if (has_name(token) || token.is(tok::coloncolon)) {
        if (last_name) ++type_tokens;
        if (token.is(tok::identifier)) {
          last_name = i;
        } else {
          if (!token.is(tok::coloncolon)) ++type_tokens;
          last_name.reset();
        }
        if (at(i + 1).is(tok::coloncolon)) {
          last_name.reset();
          ++type_tokens;
        }
      } else {
        return false;  // pointer, reference, function, expression
      }
    }
    return false;
  }

  size_t find_semicolon(size_t i) const {
    while (i < in_.size() && !in_[i].isOneOf(tok::semi, tok::eof)) {
      i = in_[i].isOneOf(tok::l_paren, tok::l_brace, tok::l_square) ? skip_group(i) : i + 1;
    }
    return std::min(i, in_.size() - 1);
  }

  Tokens rewritten(size_t begin, size_t end) const {
    Tokens out;
    for (size_t i = begin; i < end; ++i) {
      if (lacks_const(i)) out.push_back(make_.identifier("const", in_[i].getLocation()));
      out.push_back(with_metal_keyword(in_[i]));
    }
    return out;
  }

  // threadgroup float tile[8][9]; → auto& tile = *(pointer to float[8][9])<storage of variable id>;
  // The storage is asked for in the user's own function: each instantiation of it has its own.
  bool rewrite_threadgroup_variables(const Declaration& declaration) {
    if (declaration.initialiser) {
      const Token& name = in_[declaration.declarators.back().name];
      result_.messages.push_back(
          {name.getLocation(), Severity::kWarning,
           "the initialiser of threadgroup variable '" + preprocessor_.getSpelling(name) +
               "' has no effect",
           "assign it in one thread, then threadgroup_barrier(mem_flags::mem_threadgroup)"});
    }
    size_t type_end = declaration.declarators.front().name;
    for (const Declarator& declarator : declaration.declarators) {
      const Token& name = in_[declarator.name];
      clang::SourceLocation location = name.getLocation();
      Tokens type = rewritten(declaration.type_begin, type_end);
      Tokens dimensions = rewritten(declarator.name + 1, declarator.dimensions_end);
      type.insert(type.end(), dimensions.begin(), dimensions.end());
      emit(make_.snippet("auto &", location));
      emit(name);
      emit(make_.snippet("= *(typename ::metal::__assay::as_threadgroup<", location));
      emit(type);
      emit(make_.snippet(">::pointer) ::metal::__assay::threadgroup_memory(", location));
      emit(make_.number(next_threadgroup_id_++, location));
      emit(make_.snippet(", sizeof(", location));
      emit(type);
      emit(make_.snippet("), ", location));
      if (declaration.alignment) {
        size_t open = *declaration.alignment + 1;
        emit(rewritten(open, skip_group(open)));
      } else {
        emit(make_.snippet("alignof(", location));
        emit(type);
        emit(make_.punctuation(tok::r_paren, location));
      }
      emit(make_.snippet(");", location));
    }
    position_ = declaration.end + 1;
    return true;
  }

  // constant bool c [[function_constant(0)]]; → extern constant bool c [[…]]; and its "defined"
  // flag
  bool rewrite_function_constant(const Declaration& declaration) {
    const Token& name = in_[declaration.declarators.front().name];
    clang::SourceLocation location = name.getLocation();
    std::string word = preprocessor_.getSpelling(name);
    emit(make_.identifier("extern", location));
    size_t end = declaration.initialiser.value_or(declaration.end);
    while (position_ < end) {
      if (is_attribute_list(position_)) {
        position_ = rewrite_attributes(position_, result_.tokens);
      } else {
        if (!is_word(in_[position_], "static") && !is_word(in_[position_], "constexpr")) {
          emit(with_metal_keyword(in_[position_]));
        }
        ++position_;
      }
    }
    emit(make_.snippet("; extern constant const bool " + std::string(kDefinedPrefix) + word + " ;",
                       location));
    position_ = declaration.end + 1;
    function_constants_.insert(word);
    return true;
  }

  // Constants that depend on function constants get their value when the kernel is built; constants
  // in a function's scope are static, as the base language wants it.
  bool rewrite_constant_variable(const Declaration& declaration) {
    if (declaration.has_extern) return false;
    bool is_member = at(declaration.declarators.front().name - 1).is(tok::coloncolon);
    if (is_member && !declaration.initialiser) {
      // Repeats a static member of a class for older dialects.
      position_ = declaration.end + 1;
      return true;
    }
    if (is_member) return false;
    if (declaration.initialiser && depends_on_function_constant(declaration)) {
      return rewrite_derived_constant(declaration);
    }
    if (!declaration.has_static) {
      emit(make_.identifier("static", in_[position_].getLocation()));
    }
    // Emits the specifiers so that the statement is not looked at again.
    while (position_ < declaration.type_begin) emit(with_metal_keyword(in_[position_++]));
    return true;
  }

  bool depends_on_function_constant(const Declaration& declaration) const {
    for (size_t i = *declaration.initialiser; i < declaration.end; ++i) {
      if (is_word(in_[i], "is_function_constant_defined")) return true;
      if (has_name(in_[i]) && function_constants_.contains(preprocessor_.getSpelling(in_[i]))) {
        return true;
      }
    }
    return false;
  }

  // constant int n = c ? 4 : 8; → extern constant int n; and a constructor that stores the value,
  // which folds as soon as the function constants are known.
  bool rewrite_derived_constant(const Declaration& declaration) {
    const Declarator& declarator = declaration.declarators.front();
    const Token& name = in_[declarator.name];
    clang::SourceLocation location = name.getLocation();
    std::string word = preprocessor_.getSpelling(name);
    Tokens type = rewritten(declaration.type_begin, declarator.name);
    emit(make_.snippet("extern constant const", location));
    emit(type);
    emit(name);
    emit(make_.snippet(
        "; static __attribute__((constructor)) void __assay_derive_" + word + "() { typedef",
        location));
    emit(type);
    emit(make_.snippet(
        "__assay_type; *(__private __assay_type *)(unsigned long)&" + word + " = __assay_type",
        location));
    bool braces = in_[*declaration.initialiser].is(tok::l_brace);
    position_ = *declaration.initialiser + (braces ? 0 : 1);
    if (!braces) emit(make_.punctuation(tok::l_paren, location));
    while (position_ < declaration.end) {
      if (is_word(in_[position_], "is_function_constant_defined")) {
        rewrite_defined_query();
      } else {
        emit(with_metal_keyword(in_[position_++]));
      }
    }
    if (!braces) emit(make_.punctuation(tok::r_paren, location));
    emit(make_.snippet("; }", location));
    position_ = declaration.end + 1;
    function_constants_.insert(word);
    return true;
  }

  // is_function_constant_defined(a::c) → a::__assay_defined_c
  void rewrite_defined_query() {
    size_t end = skip_group(position_ + 1);
    for (size_t i = position_ + 2; i + 1 < end; ++i) {
      bool is_last = i + 2 == end;
      emit(is_last && has_name(in_[i])
               ? make_.identifier(kDefinedPrefix + preprocessor_.getSpelling(in_[i]),
                                  in_[i].getLocation())
               : in_[i]);
    }
    position_ = end;
  }

  // --- conversions -------------------------------------------------------------------------------

  // static_cast<T>(x) → static_cast<T>((bridge)(x)): the base language converts between half and
  // bfloat only by way of float. Only types whose name may stand for one of the two are touched.
  void rewrite_static_cast() {
    std::optional<size_t> end = skip_angles(position_ + 1);
    bool may_be_half = end && at(*end).is(tok::l_paren);
    for (size_t i = position_ + 2; may_be_half && i + 1 < *end; ++i) {
      may_be_half = in_[i].isOneOf(tok::identifier, tok::coloncolon, tok::kw_half, tok::kw_typename,
                                   tok::kw___bf16);
    }
    if (!may_be_half) {
      emit(in_[position_++]);
      return;
    }
    clang::SourceLocation location = in_[position_].getLocation();
    Tokens type = rewritten(position_ + 2, *end - 1);
    size_t close = skip_group(*end) - 1;
    emit(in_[position_]);
    emit(make_.punctuation(tok::less, location));
    emit(type);
    emit(make_.punctuation(tok::greater, location));
    emit(make_.snippet("((typename ::metal::__assay::bridge<", location));
    emit(type);
    emit(make_.snippet(", decltype((", location));
    emit(rewritten(*end + 1, close));
    emit(make_.snippet("))>::type)(", location));
    for (position_ = *end + 1; position_ < close;) step();
    emit(make_.snippet("))", location));
    position_ = close + 1;
  }

  // 1.5bf: the base language has no such suffix.
  bool is_bfloat_literal(const Token& token) const {
    if (!token.is(tok::numeric_constant)) return false;
    std::string text = preprocessor_.getSpelling(token);
    bool is_hexadecimal = text.size() > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    return !is_hexadecimal && (text.ends_with("bf") || text.ends_with("BF"));
  }

  // --- conditional operator ----------------------------------------------------------------------

  // c ? p[i] : x. If p[i] is an object of a class in another address space than x, the base
  // language finds no common type; arm<> makes a copy of such an object and leaves everything else
  // as it is.
  bool rewrite_conditional_arm() {
    if (result_.tokens.empty() || !result_.tokens.back().isOneOf(tok::question, tok::colon))
      return false;
    bool is_left = result_.tokens.back().is(tok::question);
    if (!is_left && !colon_is_conditional_) return false;
    std::optional<size_t> end = skip_object_name(position_);
    if (!end) return false;
    bool is_whole_arm = is_left ? at(*end).is(tok::colon)
                                : at(*end).isOneOf(tok::semi, tok::r_paren, tok::comma,
                                                   tok::r_square, tok::r_brace, tok::colon);
    if (!is_whole_arm) return false;
    clang::SourceLocation location = in_[position_].getLocation();
    emit(make_.snippet("(typename ::metal::__assay::arm<decltype((", location));
    emit(rewritten(position_, *end));
    emit(make_.snippet("))>::type)(", location));
    while (position_ < *end) step();
    emit(make_.punctuation(tok::r_paren, location));
    return true;
  }

  // Behind *p, p[i], s.x, s->x[i], f(x), T<n>(x, y): names, members, subscripts and calls, without
  // a conditional inside: that one is rewritten on its own.
  std::optional<size_t> skip_object_name(size_t i) const {
    while (at(i).is(tok::star)) ++i;
    if (!at(i).is(tok::identifier) && !at(i).is(tok::kw_this)) return std::nullopt;
    for (++i; i < in_.size();) {
      if (at(i).isOneOf(tok::l_square, tok::l_paren, tok::l_brace)) {
        size_t end = skip_group(i);
        for (; i < end; ++i) {
          if (in_[i].isOneOf(tok::question, tok::semi)) return std::nullopt;
        }
      } else if (at(i).is(tok::less)) {
        std::optional<size_t> end = skip_angles(i);
        if (!end || !at(*end).isOneOf(tok::l_paren, tok::l_brace, tok::coloncolon)) return i;
        i = *end;
      } else if (at(i).isOneOf(tok::period, tok::arrow, tok::coloncolon) &&
                 at(i + 1).is(tok::identifier)) {
        i += 2;
      } else {
        return i;
      }
    }
    return std::nullopt;
  }

  // --- references to temporaries -----------------------------------------------------------------

  // `const thread int& n` also takes a temporary, which the base language keeps outside of thread
  // memory; for scalars the address space of the reference makes no other difference.
  bool is_thread_of_scalar_reference() const {
    if (!is_word(in_[position_], "thread")) return false;
    size_t i = position_ + 1;
    bool is_const = position_ > 0 && is_word(in_[position_ - 1], "const");
    if (is_word(at(i), "const")) {
      is_const = true;
      ++i;
    }
    return is_const && is_one_of_words(at(i), kScalarNames) && at(i + 1).is(tok::amp);
  }

  // --- features that are not compute -------------------------------------------------------------

  bool report_graphics_stage() {
    const Token& stage = in_[position_];
    bool looks_like_function = has_name(at(position_ + 1)) && has_name(at(position_ + 2)) &&
                               at(position_ + 3).is(tok::l_paren);
    if (!looks_like_function) return false;
    std::string word = preprocessor_.getSpelling(stage);
    result_.messages.push_back(
        {stage.getLocation(), Severity::kError, word + " functions are not supported",
         "assay runs compute kernels: move the function to another file or guard it with "
         "#ifndef __ASSAY__"});
    ++position_;
    return true;
  }

  Tokens in_;
  clang::Preprocessor& preprocessor_;
  TokenBuilder make_;
  TokenPassResult result_;
  size_t position_ = 0;
  size_t parentheses_ = 0;
  size_t conditionals_ = 0;            // '?' of this statement that wait for their ':'
  bool colon_is_conditional_ = false;  // the last ':' belongs to a '?'
  std::vector<size_t> brace_parentheses_;
  uint64_t next_threadgroup_id_ = 0;
  std::set<std::string, std::less<>> function_constants_;
};

}  // namespace

TokenPassResult rewrite_tokens(std::vector<clang::Token> tokens,
                               clang::Preprocessor& preprocessor) {
  if (tokens.empty()) return {};
  return TokenPass(std::move(tokens), preprocessor).run();
}

}  // namespace assay::msl
