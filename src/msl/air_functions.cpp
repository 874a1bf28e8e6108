// See air_functions.h.
#include "msl/air_functions.h"

#include <clang/Lex/LiteralSupport.h>

#include <algorithm>

#include "msl/parameter_tokens.h"

namespace assay::msl {
namespace {

using clang::Token;
namespace tok = clang::tok;

constexpr std::string_view kPrefix = "air.";

// Those of metal_air.h, without the types behind the name. A name with a point in it has an
// underscore there.
constexpr std::string_view kLaneFunctions[] = {"sum",
                                               "product",
                                               "min",
                                               "max",
                                               "and",
                                               "or",
                                               "xor",
                                               "prefix_inclusive_sum",
                                               "prefix_exclusive_sum",
                                               "prefix_inclusive_product",
                                               "prefix_exclusive_product",
                                               "shuffle",
                                               "broadcast",
                                               "broadcast_first",
                                               "shuffle_up",
                                               "shuffle_down",
                                               "shuffle_xor",
                                               "shuffle_rotate_up",
                                               "shuffle_rotate_down",
                                               "shuffle_and_fill_up",
                                               "shuffle_and_fill_down",
                                               "ballot",
                                               "active_threads_mask",
                                               "all",
                                               "any",
                                               "is_first"};
constexpr std::string_view kMathFunctions[] = {
    "acos",  "acosh",    "asin", "asinh", "atan",  "atanh", "ceil", "cos",   "cosh",  "cospi",
    "exp",   "exp10",    "exp2", "fabs",  "floor", "fract", "log",  "log10", "log2",  "rint",
    "round", "rsqrt",    "sin",  "sinh",  "sinpi", "sqrt",  "tan",  "tanh",  "tanpi", "trunc",
    "atan2", "copysign", "fmax", "fmin",  "fmod",  "pow",   "powr", "fma"};
constexpr std::string_view kOtherFunctions[] = {"ctz",
                                                "clz",
                                                "popcount",
                                                "reverse_bits",
                                                "rotate",
                                                "mul_hi",
                                                "min",
                                                "max",
                                                "abs",
                                                "wg.barrier",
                                                "simdgroup.barrier",
                                                "simdgroup_async_copy_1d",
                                                "simdgroup_async_copy_2d",
                                                "wait_simdgroup_events"};

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

bool is_known(std::string_view name) {
  if (is_one_of(name, kOtherFunctions) || is_one_of(name, kMathFunctions)) return true;
  for (std::string_view prefix : {"simd_", "quad_"}) {
    if (name.starts_with(prefix)) return is_one_of(name.substr(prefix.size()), kLaneFunctions);
  }
  constexpr std::string_view kFast = "fast_";
  return name.starts_with(kFast) && is_one_of(name.substr(kFast.size()), kMathFunctions);
}

// "air.simd_sum.f32" → "simd_sum", "air.wg.barrier" → "wg.barrier".
std::string_view known_name(std::string_view label) {
  label.remove_prefix(kPrefix.size());
  for (size_t end = label.size(); end != std::string_view::npos; end = label.rfind('.', end - 1)) {
    if (is_known(label.substr(0, end))) return label.substr(0, end);
    if (end == 0) break;
  }
  return {};
}

struct Label {
  std::string text;  // "air.simd_sum.f32"
  size_t begin = 0;  // the word __asm
  size_t end = 0;    // behind its ')'
};

// The label behind the parameter list that ends in front of `i`, and maybe behind attributes.
std::optional<Label> find_label(TokenRewriter& rewriter, size_t i) {
  const TokenSequence& in = rewriter.in;
  constexpr std::string_view kWords[] = {"__asm", "__asm__", "asm"};
  while (is_word(in[i], "__attribute__") && in[i + 1].is(tok::l_paren)) i = in.skip_group(i + 1);
  if (!is_one_of_words(in[i], kWords) || !in[i + 1].is(tok::l_paren)) return std::nullopt;
  Label label{.text = {}, .begin = i, .end = in.skip_group(i + 1)};
  Tokens literals;
  for (size_t j = i + 2; j + 1 < label.end; ++j) {
    if (!in[j].is(tok::string_literal)) return std::nullopt;
    literals.push_back(in[j]);
  }
  if (literals.empty()) return std::nullopt;
  clang::StringLiteralParser parser(literals, rewriter.preprocessor);
  if (parser.hadError) return std::nullopt;
  label.text = parser.GetString().str();
  // Says that the name is to be taken as it is.
  if (label.text.starts_with('\1')) label.text.erase(0, 1);
  if (!label.text.starts_with(kPrefix)) return std::nullopt;
  return label;
}

// The list with a name for each parameter; the names are added to `names`.
void emit_parameters(TokenRewriter& rewriter, size_t open, size_t close,
                     std::vector<std::string>& names) {
  Tokens list = rewriter.rewritten(open, close);
  list.push_back(rewriter.in[rewriter.in.size() - 1]);
  const TokenSequence parameters(list);
  size_t at = 0;
  for (const ParameterTokens& parameter : parse_parameters(parameters, 0)) {
    const bool is_void =
        parameter.end == parameter.begin + 1 && is_word(parameters[parameter.begin], "void");
    for (; at < parameter.end; ++at) rewriter.emit(parameters[at]);
    if (is_void) continue;
    names.push_back(parameter.name ? std::string(word_of(parameters[*parameter.name]))
                                   : "__assay_argument_" + std::to_string(names.size()));
    if (!parameter.name) rewriter.emit(names.back(), parameters[at].getLocation());
  }
  for (; at + 1 < list.size(); ++at) rewriter.emit(parameters[at]);
}

}  // namespace

bool rewrite_air_function(TokenRewriter& rewriter) {
  const TokenSequence& in = rewriter.in;
  const size_t open = rewriter.position;
  if (rewriter.parentheses > 0 || !in[open].is(tok::l_paren) || !has_name(in.before(open))) {
    return false;
  }
  const size_t close = in.skip_group(open);
  const std::optional<Label> label = find_label(rewriter, close);
  if (!label || !in[label->end].is(tok::semi)) return false;
  const clang::SourceLocation location = in[label->begin].getLocation();
  std::vector<std::string> names;
  emit_parameters(rewriter, open, close, names);
  for (size_t i = close; i < label->begin; ++i) rewriter.emit(in[i]);
  std::string name(known_name(label->text));
  if (name.empty()) {
    rewriter.emit("__attribute__((unavailable(\"AIR functions (" + label->text +
                      ") are not supported by assay\")))",
                  location);
    rewriter.position = label->end;
    return true;
  }
  std::ranges::replace(name, '.', '_');
  std::string call = "{ return ::metal::__assay::air::" + name + "(";
  for (const std::string& argument : names) {
    call += (argument == names.front() ? "" : ", ") + argument;
  }
  rewriter.emit(call + "); }", location);
  rewriter.position = label->end + 1;
  return true;
}

}  // namespace assay::msl
