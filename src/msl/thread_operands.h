// Temporaries for parameters of type `const thread T&`, and those whose methods are overloaded by
// address space. In Metal a temporary is in thread memory; clang keeps it outside of every address
// space and refuses the call, or finds all of the methods equally good. The first run collects the
// places, the next one says there where the temporary is.
#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceLocation.h>

#include <optional>
#include <set>
#include <vector>

#include "msl/token_sequence.h"

namespace assay::msl {

// Indices of tokens of the preprocessed source.
struct ThreadOperand {
  size_t first = 0;
  size_t last = 0;
  bool is_object = false;  // of a method, which may change it

  bool operator==(const ThreadOperand&) const = default;
};

// Collects the calls that were refused for this reason.
class RefusedOperands {
 public:
  // Takes every diagnostic in order: the reasons of an error are the notes behind it.
  void look_at(const clang::Diagnostic& diagnostic);

  // Finds the operands among the source's tokens; leaves out those in headers that are not among
  // them.
  std::vector<ThreadOperand> locate(const Tokens& tokens) const;

 private:
  enum class Kind { kCall, kConstruction, kOperator, kMember, kObject };
  // An operand that was found before begins in front of its first token.
  struct Range {
    clang::SourceLocation first;
    clang::SourceLocation first_token;
    clang::SourceLocation last;
  };
  class Places;
  struct Call {
    Kind kind;
    std::vector<Range> ranges;        // the callee, all arguments, or each operand or object
    std::set<size_t> arguments = {};  // from 1
    bool has_unknown = false;         // further ones, of a template
    bool may_have_temporary = false;  // as an operand
    clang::SourceLocation name = {};  // of the member
  };

  static std::vector<Range> ranges_of(const clang::Diagnostic& diagnostic);
  static std::optional<Call> find_ambiguity(const clang::Diagnostic& diagnostic);
  static void locate_objects(const Call& call, const Places& places,
                             std::vector<ThreadOperand>& operands);

  std::optional<Call> current_;
  std::vector<Call> calls_;
};

}  // namespace assay::msl
