// See attribute_tokens.h.
#include "msl/attribute_tokens.h"

#include <clang/Basic/AttributeCommonInfo.h>

#include "msl/thread_attributes.h"

namespace assay::msl {
namespace {

using clang::Token;
namespace tok = clang::tok;

// Attributes of MSL that the reflection reads, beside those of threads. Everything else in [[…]] is
// left to clang.
constexpr std::string_view kOtherAttributes[] = {"kernel",
                                                 "buffer",
                                                 "threadgroup",
                                                 "function_constant",
                                                 "host_name",
                                                 "id",
                                                 "max_total_threads_per_threadgroup",
                                                 "required_threads_per_threadgroup",
                                                 "texture",
                                                 "sampler"};

bool is_metal_attribute(const Token& name) {
  return is_one_of_words(name, kOtherAttributes) ||
         (has_name(name) && is_thread_attribute(word_of(name)));
}

// Whether neither Metal's compute functions nor clang have the attribute at `index`.
bool is_unknown(const TokenRewriter& rewriter, size_t index) {
  const Token& name = rewriter.in[index];
  return has_name(name) && !is_metal_attribute(name) &&
         !rewriter.in[index + 1].is(tok::coloncolon) &&
         clang::AttributeCommonInfo::getParsedKind(
             rewriter.preprocessor.getIdentifierInfo(word_of(name)), nullptr,
             clang::AttributeCommonInfo::AS_CXX11) == clang::AttributeCommonInfo::UnknownAttribute;
}

// The attribute that an unknown one is nearly; empty where there is none.
llvm::StringRef find_similar_attribute(llvm::StringRef word) {
  constexpr unsigned kMaxEdits = 3;
  if (word.size() < 2 * kMaxEdits) return {};
  auto is_similar = [&](std::string_view known) {
    return word.edit_distance(known, /*AllowReplacements=*/true, kMaxEdits) <= kMaxEdits;
  };
  for (std::string_view known : kOtherAttributes) {
    if (is_similar(known)) return known;
  }
  for (const NamedThreadAttribute& known : kThreadAttributeNames) {
    if (is_similar(known.name)) return known.name;
  }
  return {};
}

void report_misspelt(TokenRewriter& rewriter, size_t index) {
  const Token& name = rewriter.in[index];
  const std::string word(word_of(name));
  const std::string known = find_similar_attribute(word).str();
  if (known.empty()) return;
  rewriter.report({name.getLocation(), Severity::kError,
                   "unknown attribute '" + word + "'; did you mean '" + known + "'?",
                   "write [[" + known + "]]"});
}

// A parameter keeps the name of its unknown attribute, for reflection to tell.
void emit_unknown(TokenRewriter& rewriter, size_t index) {
  const Token& name = rewriter.in[index];
  rewriter.emit("clang::annotate(", name.getLocation());
  rewriter.emit(
      rewriter.make.string(kAnnotationPrefix + std::string(kUnknownAttribute), name.getLocation()));
  rewriter.emit(",", name.getLocation());
  rewriter.emit(rewriter.make.string(word_of(name), name.getLocation()));
  rewriter.emit(")", name.getLocation());
}

std::string spelling(const TokenRewriter& rewriter, size_t begin, size_t end) {
  std::string text;
  for (size_t i = begin; i < end; ++i) text += rewriter.spelling(rewriter.in[i]);
  return text;
}

// One attribute with its arguments.
void rewrite_attribute(TokenRewriter& rewriter, size_t begin, size_t end, AttributeOwner owner) {
  const TokenSequence& in = rewriter.in;
  const Token& name = in[begin];
  if (begin != end && is_unknown(rewriter, begin)) {
    report_misspelt(rewriter, begin);
    if (rewriter.parentheses > 0) return emit_unknown(rewriter, begin);
  }
  if (begin == end || !is_metal_attribute(name) || in[begin + 1].is(tok::coloncolon)) {
    for (size_t i = begin; i < end; ++i) rewriter.emit(in[i]);
    return;
  }
  clang::SourceLocation location = name.getLocation();
  std::string word(word_of(name));
  rewriter.sees_kernel |= word == "kernel";
  rewriter.emit("clang::annotate(", location);
  rewriter.emit(rewriter.make.string(kAnnotationPrefix + word, location));
  if (begin + 1 < end && in[begin + 1].is(tok::l_paren)) {
    const bool names_constant = word == "function_constant" && owner == AttributeOwner::kOther;
    rewriter.emit(",", location);
    if (names_constant) {
      rewriter.emit(rewriter.make.string(spelling(rewriter, begin + 2, end - 1), location));
    } else {
      for (size_t i = begin + 2; i + 1 < end; ++i) rewriter.emit(in[i]);
    }
  }
  rewriter.emit(")", location);
}

}  // namespace

// [[buffer(0), maybe_unused]] → [[clang::annotate("msl.buffer", 0), maybe_unused]]
void rewrite_attributes(TokenRewriter& rewriter, AttributeOwner owner) {
  const TokenSequence& in = rewriter.in;
  size_t begin = rewriter.position;
  size_t end = in.skip_group(begin);
  rewriter.emit(in[begin]);
  rewriter.emit(in[begin + 1]);
  for (size_t i = begin + 2; i + 2 < end;) {
    size_t item_end = i;
    while (item_end + 2 < end && !in[item_end].is(tok::comma)) {
      item_end = in[item_end].is(tok::l_paren) ? in.skip_group(item_end) : item_end + 1;
    }
    rewrite_attribute(rewriter, i, item_end, owner);
    if (item_end + 2 < end) rewriter.emit(in[item_end]);
    i = item_end + 1;
  }
  if (end >= 2) {
    rewriter.emit(in[end - 2]);
    rewriter.emit(in[end - 1]);
  }
  rewriter.position = end;
}

}  // namespace assay::msl
