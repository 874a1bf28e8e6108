// Vectors of a program's own, `typedef half half8 __attribute__((ext_vector_type(8)));`. Metal
// converts their elements in half8(x), (half8)x and static_cast<half8>(x); the base language keeps
// the bits, or refuses.
#pragma once

#include <set>
#include <string>

#include "msl/token_rewriter.h"

namespace assay::msl {

class WideVectorTokens {
 public:
  explicit WideVectorTokens(TokenRewriter& rewriter) : rewriter_(rewriter), in_(rewriter.in) {}

  // Rewrites the conversion at the rewriter's position; false if there is none. Takes note of the
  // types that a declaration there names.
  bool rewrite();

 private:
  void note_type();
  bool is_type(size_t index) const;
  bool rewrite_cast();

  TokenRewriter& rewriter_;
  const TokenSequence& in_;
  std::set<std::string, std::less<>> types_;
};

}  // namespace assay::msl
