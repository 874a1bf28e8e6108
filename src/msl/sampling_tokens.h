// Options in calls of texture functions: `image.sample(s, at, level(2))`. In namespace metal their
// names would be in the way of programs that call a constant `bias`; so they are found inside of
// such calls only.
#pragma once

#include "msl/token_rewriter.h"

namespace assay::msl {

class SamplingTokens {
 public:
  explicit SamplingTokens(TokenRewriter& rewriter) : rewriter_(rewriter) {}

  // Rewrites the option at the rewriter's position; false if there is none.
  bool rewrite();

 private:
  TokenRewriter& rewriter_;
  size_t end_ = 0;  // of the call around the position
};

}  // namespace assay::msl
