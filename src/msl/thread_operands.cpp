// See thread_operands.h.
#include "msl/thread_operands.h"

#include <clang/Basic/AddressSpaces.h>
#include <clang/Basic/DiagnosticSema.h>

#include <unordered_map>

#include "msl/diagnostic_arguments.h"

namespace assay::msl {
namespace {

namespace tok = clang::tok;
namespace diag = clang::diag;

// Arguments: kind of candidate (3), the value's and the parameter's address space, whether the
// parameter is a reference, its number from 1.
std::optional<size_t> find_argument_number(const clang::Diagnostic& note) {
  using Engine = clang::DiagnosticsEngine;
  if (note.getNumArgs() < 7 || note.getArgKind(3) != Engine::ak_addrspace ||
      note.getArgKind(4) != Engine::ak_addrspace) {
    return std::nullopt;
  }
  auto space = [&](unsigned i) { return static_cast<clang::LangAS>(note.getRawArg(i)); };
  bool is_reference = note.getRawArg(5) != 0;
  if (!is_reference || space(3) != clang::LangAS::Default ||
      space(4) != clang::LangAS::opencl_private) {
    return std::nullopt;
  }
  return static_cast<size_t>(note.getRawArg(6));
}

// A temporary; objects with names are in an address space.
bool is_placeless_object(clang::QualType type) {
  return !type.isNull() && type->isRecordType() && !type.hasAddressSpace();
}

}  // namespace

class RefusedOperands::Places {
 public:
  explicit Places(const Tokens& tokens) : in_(tokens) {
    for (size_t i = 0; i < tokens.size(); ++i) {
      indices_.emplace(tokens[i].getLocation().getRawEncoding(), i);
    }
  }

  std::optional<ThreadOperand> find(const Range& range) const {
    auto first = indices_.find(range.first.getRawEncoding());
    if (first == indices_.end()) first = indices_.find(range.first_token.getRawEncoding());
    auto last = indices_.find(range.last.getRawEncoding());
    if (first == indices_.end() || last == indices_.end()) return std::nullopt;
    return ThreadOperand{first->second, last->second};
  }

  // What stands in front of a member's name and its '.'.
  std::optional<ThreadOperand> find_object(const Range& member, clang::SourceLocation name) const {
    auto named = indices_.find(name.getRawEncoding());
    if (named == indices_.end()) return std::nullopt;
    size_t period = named->second - std::min<size_t>(named->second, 1);
    if (is_word(in_[period], "template") && period > 0) --period;
    std::optional<ThreadOperand> whole = find({member.first, member.first_token, name});
    if (!whole || !in_[period].is(tok::period) || period <= whole->first) return std::nullopt;
    return ThreadOperand{whole->first, period - 1};
  }

  // What stands in the parentheses behind a callee.
  std::optional<ThreadOperand> find_arguments(const Range& callee) const {
    std::optional<ThreadOperand> name = find(callee);
    if (!name || !in_[name->last + 1].is(tok::l_paren)) return std::nullopt;
    return ThreadOperand{name->last + 2, in_.skip_group(name->last + 1) - 2};
  }

  std::vector<ThreadOperand> split(const ThreadOperand& list) const {
    std::vector<ThreadOperand> parts;
    size_t first = list.first;
    for (size_t i = list.first; i <= list.last;) {
      if (in_[i].is(tok::comma)) {
        if (i > first) parts.push_back({first, i - 1});
        first = ++i;
      } else if (in_[i].isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) {
        i = in_.skip_group(i);
      } else {
        i = in_[i].is(tok::less) ? in_.skip_angles(i).value_or(i + 1) : i + 1;
      }
    }
    if (list.last + 1 > first) parts.push_back({first, list.last});
    return parts;
  }

  // f(x), T{x}, 2 * x, 0.5f: neither a name nor a list of initialisers.
  bool may_be_temporary(const ThreadOperand& operand) const {
    if (in_[operand.first].is(tok::l_brace)) return false;
    return operand.first != operand.last || !has_name(in_[operand.first]);
  }

 private:
  const TokenSequence in_;
  std::unordered_map<clang::SourceLocation::UIntTy, size_t> indices_;
};

std::vector<RefusedOperands::Range> RefusedOperands::ranges_of(
    const clang::Diagnostic& diagnostic) {
  std::vector<Range> ranges;
  for (const clang::CharSourceRange& range : diagnostic.getRanges()) {
    clang::SourceLocation first = range.getBegin();
    clang::SourceLocation token =
        first.isMacroID()
            ? diagnostic.getSourceManager().getImmediateExpansionRange(first).getBegin()
            : first;
    ranges.push_back({first, token, range.getEnd()});
  }
  return ranges;
}

// Overloads that fit equally well because an object is in no address space.
std::optional<RefusedOperands::Call> RefusedOperands::find_ambiguity(
    const clang::Diagnostic& diagnostic) {
  Call call{.kind = Kind::kObject, .ranges = ranges_of(diagnostic)};
  auto drop_unless_placeless_object = [&](size_t range, unsigned argument) {
    const bool is_meant = is_placeless_object(type_argument(diagnostic, argument));
    if (!is_meant && range < call.ranges.size()) {
      call.ranges.erase(call.ranges.begin() + static_cast<ptrdiff_t>(range));
    }
  };
  switch (diagnostic.getID()) {
    case diag::err_ovl_ambiguous_member_call:
      call.kind = Kind::kMember;
      call.name = diagnostic.getLocation();
      break;
    case diag::err_ovl_ambiguous_oper_binary:
      drop_unless_placeless_object(1, 2);
      drop_unless_placeless_object(0, 1);
      break;
    case diag::err_ovl_ambiguous_oper_unary: drop_unless_placeless_object(0, 1); break;
    case diag::err_ovl_ambiguous_conversion_in_cast:
      if (!call.ranges.empty()) call.ranges.erase(call.ranges.begin());  // the cast's
      drop_unless_placeless_object(0, 1);
      break;
    case diag::err_typecheck_ambiguous_condition:
    case diag::err_ovl_ambiguous_subscript_call:
    case diag::err_ovl_ambiguous_object_call: drop_unless_placeless_object(0, 0); break;
    default: return std::nullopt;
  }
  if (call.ranges.empty()) return std::nullopt;
  return call;
}

void RefusedOperands::look_at(const clang::Diagnostic& diagnostic) {
  if (std::optional<Call> ambiguity = find_ambiguity(diagnostic)) {
    calls_.push_back(std::move(*ambiguity));
    return;
  }
  auto is_placeless = [&](unsigned argument) {
    return is_placeless_object(type_argument(diagnostic, argument));
  };
  auto begin = [&](Kind kind) {
    current_ = Call{.kind = kind, .ranges = ranges_of(diagnostic)};
    if (current_->ranges.empty()) current_.reset();
  };
  switch (diagnostic.getID()) {
    case diag::err_ovl_no_viable_function_in_call:
    case diag::err_ovl_no_viable_member_function_in_call: return begin(Kind::kCall);
    case diag::err_ovl_no_viable_function_in_init: return begin(Kind::kConstruction);
    case diag::err_ovl_no_viable_oper:  // of an assignment; does not tell types
    case diag::err_typecheck_invalid_operands:
      begin(Kind::kOperator);
      if (current_) {
        current_->may_have_temporary = diagnostic.getID() == diag::err_ovl_no_viable_oper ||
                                       is_placeless(0) || is_placeless(1);
      }
      return;
    case diag::note_ovl_candidate_bad_addrspace:
      if (std::optional<size_t> number = find_argument_number(diagnostic); number && current_) {
        current_->arguments.insert(*number);
        calls_.push_back(*current_);
      }
      return;
    case diag::note_ovl_candidate_non_deduced_mismatch:
    case diag::note_ovl_candidate_non_deduced_mismatch_qualified:
      if (current_ && current_->kind == Kind::kOperator && !current_->may_have_temporary) return;
      [[fallthrough]];
    case diag::note_ovl_candidate_underqualified:
      if (!current_) return;
      current_->has_unknown = true;
      calls_.push_back(*current_);
      return;
    // Clang tells no candidates.
    case diag::err_typecheck_unary_expr:
      if (!is_placeless(0)) return;
      begin(Kind::kOperator);
      if (current_) calls_.push_back(*current_);
      return;
    default: return;
  }
}

void RefusedOperands::locate_objects(const Call& call, const Places& places,
                                     std::vector<ThreadOperand>& operands) {
  for (const Range& range : call.ranges) {
    std::optional<ThreadOperand> object =
        call.kind == Kind::kMember ? places.find_object(range, call.name) : places.find(range);
    if (!object) continue;
    object->is_object = true;
    operands.push_back(*object);
    if (call.kind == Kind::kMember) return;
  }
}

std::vector<ThreadOperand> RefusedOperands::locate(const Tokens& tokens) const {
  std::vector<ThreadOperand> operands;
  if (calls_.empty()) return operands;
  const Places places(tokens);
  for (const Call& call : calls_) {
    if (call.kind == Kind::kMember || call.kind == Kind::kObject) {
      locate_objects(call, places, operands);
      continue;
    }
    if (call.kind == Kind::kOperator) {
      // Numbers count differently for methods; a value that has a place keeps it.
      for (const Range& range : call.ranges) {
        if (auto operand = places.find(range)) operands.push_back(*operand);
      }
      continue;
    }
    std::optional<ThreadOperand> list = call.kind == Kind::kCall
                                            ? places.find_arguments(call.ranges.front())
                                            : places.find(call.ranges.front());
    if (!list) continue;
    std::vector<ThreadOperand> parts = places.split(*list);
    for (size_t i = 0; i < parts.size(); ++i) {
      bool is_known = call.arguments.contains(i + 1);
      if (is_known || (call.has_unknown && places.may_be_temporary(parts[i]))) {
        operands.push_back(parts[i]);
      }
    }
  }
  return operands;
}

}  // namespace assay::msl
