// See attribute_tokens.h.
#include "msl/attribute_tokens.h"

#include <clang/Basic/AttributeCommonInfo.h>

namespace assay::msl {
namespace {

using clang::Token;
namespace tok = clang::tok;

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
                                                 "sampler"};

// Whether neither Metal's compute functions nor clang have the attribute at `index`.
bool is_unknown(const TokenRewriter& rewriter, size_t index) {
  const Token& name = rewriter.in[index];
  return has_name(name) && !is_one_of_words(name, kMetalAttributes) &&
         !rewriter.in[index + 1].is(tok::coloncolon) &&
         clang::AttributeCommonInfo::getParsedKind(
             rewriter.preprocessor.getIdentifierInfo(word_of(name)), nullptr,
             clang::AttributeCommonInfo::AS_CXX11) == clang::AttributeCommonInfo::UnknownAttribute;
}

// An unknown attribute that is nearly one of Metal's is a slip.
void report_misspelt(TokenRewriter& rewriter, size_t index) {
  constexpr unsigned kMaxEdits = 3;
  const Token& name = rewriter.in[index];
  llvm::StringRef word(word_of(name).data(), word_of(name).size());
  if (word.size() < 2 * kMaxEdits) return;
  for (std::string_view attribute : kMetalAttributes) {
    llvm::StringRef known(attribute.data(), attribute.size());
    if (word.edit_distance(known, /*AllowReplacements=*/true, kMaxEdits) > kMaxEdits) continue;
    rewriter.report({name.getLocation(), Severity::kError,
                     "unknown attribute '" + word.str() + "'; did you mean '" + known.str() + "'?",
                     "write [[" + known.str() + "]]"});
    return;
  }
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
  if (begin == end || !is_one_of_words(name, kMetalAttributes) ||
      in[begin + 1].is(tok::coloncolon)) {
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
