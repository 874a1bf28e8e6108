// See sampling_tokens.h.
#include "msl/sampling_tokens.h"

#include <algorithm>

namespace assay::msl {

namespace tok = clang::tok;

bool SamplingTokens::rewrite() {
  constexpr std::string_view kCalls[] = {"sample", "sample_compare", "gather", "gather_compare"};
  constexpr std::string_view kOptions[] = {
      "level", "bias", "min_lod_clamp", "gradient2d", "gradient3d", "gradientcube", "component"};
  const TokenSequence& in = rewriter_.in;
  const size_t i = rewriter_.position;
  const bool is_member = in[i].isOneOf(tok::period, tok::arrow);
  if (is_member && is_one_of_words(in[i + 1], kCalls) && in[i + 2].is(tok::l_paren)) {
    end_ = std::max(end_, in.skip_group(i + 2));
  }
  const bool is_option = i < end_ && is_one_of_words(in[i], kOptions) &&
                         in[i + 1].isOneOf(tok::l_paren, tok::coloncolon) &&
                         !in.before(i).isOneOf(tok::period, tok::arrow, tok::coloncolon);
  if (!is_option) return false;
  rewriter_.emit("::metal::__assay::sampling::", in[i].getLocation());
  rewriter_.emit(in[i]);
  ++rewriter_.position;
  return true;
}

}  // namespace assay::msl
