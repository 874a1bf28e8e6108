// See left_out.h.
#include "msl/left_out.h"

#include <algorithm>
#include <map>

#include "msl/program_scope.h"
#include "msl/token_rewriter.h"

namespace assay::msl {
namespace {

namespace tok = clang::tok;

// "'texture2d<half>' is unavailable: textures (texture2d) are not supported by assay"
std::string unsupported_feature(std::string_view text) {
  constexpr std::string_view kBegin = "is unavailable: ";
  constexpr std::string_view kEnd = "not supported by assay";
  const size_t begin = text.rfind(kBegin);
  if (begin == std::string_view::npos || !text.ends_with(kEnd)) return {};
  return std::string(text.substr(begin + kBegin.size()));
}

// The feature of a template that clang says nothing about, because it only ever sees its use fail.
std::string feature_of_type(std::string_view name) {
  constexpr std::string_view kTextures[] = {"texture1d",   "texture2d",      "texture3d",
                                            "texturecube", "texture_buffer", "depth2d",
                                            "depthcube"};
  const bool is_texture = std::ranges::any_of(
      kTextures, [&](std::string_view known) { return name.starts_with(known); });
  if (!is_texture) return {};
  return "textures (" + std::string(name) + ") are not supported by assay";
}

class LeftOutFinder {
 public:
  LeftOutFinder(const Tokens& tokens, std::vector<LeftOutDeclaration> known)
      : in_(tokens), declarations_(list_declarations(in_)), left_out_(std::move(known)) {
    for (size_t i = 0; i < tokens.size(); ++i) {
      places_.emplace(tokens[i].getLocation().getRawEncoding(), i);
    }
    for (const LeftOutDeclaration& declaration : left_out_) {
      features_.emplace(declaration.name, declaration.feature);
    }
    for (const ProgramScopeDeclaration& declaration : declarations_) {
      if (is_template(in_, declaration)) note_template(declaration);
    }
  }

  void add(const RefusedUse& use) {
    auto place = places_.find(use.place.getRawEncoding());
    if (place == places_.end()) return;
    auto behind =
        std::ranges::upper_bound(declarations_, place->second, {}, &ProgramScopeDeclaration::begin);
    if (behind == declarations_.begin()) return;
    const ProgramScopeDeclaration& declaration = *std::prev(behind);
    if (place->second >= declaration.end || is_left_out(declaration)) return;
    LeftOutDeclaration added{.begin = declaration.begin,
                             .end = declaration.end,
                             .cause = place->second,
                             .name = std::string(declared_name(in_, declaration)),
                             .feature = use.feature,
                             .is_kernel = declares_kernel(in_, declaration)};
    if (added.feature.empty()) {
      // The error is at the name of something that is not there any more, or cannot be used.
      auto found = features_.find(word_of(in_[place->second]));
      if (found == features_.end()) return;
      added.feature = found->second;
    }
    features_.emplace(added.name, added.feature);
    left_out_.push_back(std::move(added));
  }

  bool is_empty() const { return left_out_.empty(); }

  bool leaves_a_kernel() const {
    return std::ranges::any_of(declarations_, [&](const ProgramScopeDeclaration& declaration) {
      return declares_kernel(in_, declaration) && !is_template(in_, declaration) &&
             !is_left_out(declaration);
    });
  }

  std::vector<LeftOutDeclaration> take() { return std::move(left_out_); }

 private:
  bool is_left_out(const ProgramScopeDeclaration& declaration) const {
    return std::ranges::find(left_out_, declaration.begin, &LeftOutDeclaration::begin) !=
           left_out_.end();
  }

  void note_template(const ProgramScopeDeclaration& declaration) {
    for (size_t i = declaration.begin; i < declaration.end; ++i) {
      std::string feature = feature_of_type(word_of(in_[i]));
      if (feature.empty()) continue;
      features_.emplace(declared_name(in_, declaration), std::move(feature));
      return;
    }
  }

  const TokenSequence in_;
  const std::vector<ProgramScopeDeclaration> declarations_;
  std::vector<LeftOutDeclaration> left_out_;
  std::map<std::string, std::string, std::less<>> features_;  // by what is declared with them
  std::map<clang::SourceLocation::UIntTy, size_t> places_;
};

}  // namespace

std::string RefusedUses::look_at(clang::DiagnosticsEngine::Level level,
                                 const clang::Diagnostic& diagnostic, std::string_view text) {
  const std::string feature = unsupported_feature(text);
  if (level >= clang::DiagnosticsEngine::Error) {
    uses_.push_back({diagnostic.getLocation(), feature});
  } else if (level == clang::DiagnosticsEngine::Note && !uses_.empty() && !feature.empty()) {
    if (uses_.back().feature.empty()) uses_.back().feature = feature;
  }
  return feature;
}

std::optional<std::vector<LeftOutDeclaration>> find_left_out(
    const std::vector<RefusedUse>& refused, const Tokens& tokens,
    std::vector<LeftOutDeclaration> known) {
  if (refused.empty()) return known;
  LeftOutFinder finder(tokens, std::move(known));
  for (const RefusedUse& use : refused) finder.add(use);
  if (finder.is_empty()) return std::vector<LeftOutDeclaration>();
  if (!finder.leaves_a_kernel()) return std::nullopt;
  return finder.take();
}

bool leave_out_declaration(TokenRewriter& rewriter) {
  const LeftOutDeclaration* declaration = rewriter.find_left_out(rewriter.position);
  if (declaration == nullptr) return false;
  if (declaration->is_kernel && rewriter.told_left_out.insert(declaration->name).second) {
    rewriter.report({rewriter.in[declaration->cause].getLocation(), Severity::kWarning,
                     "kernel '" + declaration->name + "' is left out: " + declaration->feature,
                     ""});
  }
  rewriter.position = declaration->end;
  return true;
}

}  // namespace assay::msl
