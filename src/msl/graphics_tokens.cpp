// See graphics_tokens.h.
#include "msl/graphics_tokens.h"

#include <algorithm>

namespace assay::msl {
namespace {

using clang::Token;
namespace tok = clang::tok;

bool is_graphics_stage(const Token& token) {
  constexpr std::string_view kStages[] = {"vertex", "fragment", "mesh", "object", "intersection"};
  return is_one_of_words(token, kStages);
}

struct GraphicsFunction {
  size_t stage;               // the word or attribute that makes it one
  std::optional<size_t> end;  // behind its body or ';'; nothing if a bracket is not closed
};

class GraphicsFunctionParser {
 public:
  GraphicsFunctionParser(const TokenSequence& in, size_t begin) : in_(in), at_(begin) {}

  std::optional<GraphicsFunction> parse() {
    if (!skip_template()) return std::nullopt;
    // [[patch(triangle, 3)]] vertex Out f(…), [[fragment]] float4 f(…), inline vertex …
    while (!stage_ || in_.is_attribute_list(at_)) {
      if (in_.is_attribute_list(at_)) {
        read_attributes();
      } else if (is_graphics_stage(in_[at_])) {
        stage_ = at_++;
      } else if (is_word(in_[at_], "static") || is_word(in_[at_], "inline")) {
        ++at_;
      } else {
        return std::nullopt;
      }
    }
    if (!skip_type_and_name()) return std::nullopt;
    return GraphicsFunction{*stage_, end_of_function()};
  }

 private:
  bool skip_template() {
    if (!is_word(in_[at_], "template")) return true;
    ++at_;
    if (!in_[at_].is(tok::less)) return true;
    std::optional<size_t> end = in_.skip_angles(at_);
    if (end) at_ = *end;
    return end.has_value();
  }

  void read_attributes() {
    size_t end = in_.skip_group(at_);
    for (size_t i = at_ + 2; i < end; ++i) {
      bool begins = in_[i - 1].isOneOf(tok::l_square, tok::comma);
      if (begins && is_graphics_stage(in_[i])) stage_ = i;
    }
    at_ = end;
  }

  // Up to the '(' of the parameters: at least a type and a name, which tells the function from a
  // variable of these names.
  bool skip_type_and_name() {
    size_t names = 0;
    while (!in_[at_].is(tok::l_paren)) {
      const Token& token = in_[at_];
      if (in_.is_attribute_list(at_)) {
        at_ = in_.skip_group(at_);
      } else if (token.is(tok::less)) {
        std::optional<size_t> end = in_.skip_angles(at_);
        if (!end) return false;
        at_ = *end;
      } else if (has_name(token)) {
        ++names;
        ++at_;
      } else if (token.isOneOf(tok::coloncolon, tok::star, tok::amp)) {
        ++at_;
      } else {
        return false;
      }
    }
    return names >= 2;
  }

  std::optional<size_t> end_of_function() {
    while (!in_[at_].isOneOf(tok::l_brace, tok::semi, tok::eof)) {
      at_ = in_[at_].isOneOf(tok::l_paren, tok::l_square) ? in_.skip_group(at_) : at_ + 1;
    }
    if (in_[at_].is(tok::semi)) return at_ + 1;
    if (!in_[at_].is(tok::l_brace)) return std::nullopt;
    size_t end = in_.skip_group(at_);
    if (!in_[end - 1].is(tok::r_brace)) return std::nullopt;
    return end;
  }

  const TokenSequence& in_;
  size_t at_;
  std::optional<size_t> stage_;
};

}  // namespace

bool leave_out_graphics_function(TokenRewriter& rewriter) {
  std::optional<GraphicsFunction> function =
      GraphicsFunctionParser(rewriter.in, rewriter.position).parse();
  if (!function) return false;
  rewriter.graphics_stages.push_back(function->stage);
  // Without its end: clang says which bracket is missing, behind the word that it does not know.
  rewriter.position = function->end.value_or(function->stage + 1);
  return true;
}

void report_graphics_functions(TokenRewriter& rewriter) {
  for (size_t stage : rewriter.graphics_stages) {
    const Token& token = rewriter.in[stage];
    std::string what = rewriter.spelling(token) + " functions are not supported";
    if (rewriter.sees_kernel) {
      rewriter.report(
          {token.getLocation(), Severity::kWarning, what + "; this one is left out", ""});
    } else {
      rewriter.report({token.getLocation(), Severity::kError, what,
                       "assay runs compute kernels, and this file has none"});
    }
  }
}

}  // namespace assay::msl
