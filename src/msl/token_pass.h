// Rewrites the preprocessed tokens of an MSL file into what clang's parser takes: attributes become
// annotations, threadgroup variables references into an arena, host names are collected. Locations
// are kept, so that diagnostics point into the user's text. Knows no types: those are clang's
// business.
#pragma once

#include <clang/Basic/SourceLocation.h>
#include <clang/Lex/Token.h>

#include <optional>
#include <string>
#include <vector>

#include "msl/diagnostic.h"
#include "msl/repairs.h"

namespace clang {
class Preprocessor;
}

namespace assay::msl {

// `template [[host_name("n")]] [[kernel]] decltype(f<T>) f<T>;`
struct KernelInstantiation {
  std::optional<std::string> host_name;
  // Location of the instantiated name: clang's point of instantiation.
  clang::SourceLocation name_location;
};

// What the pass has to say itself; front_end.cpp reports it like clang's own messages.
struct TokenMessage {
  clang::SourceLocation location;
  Severity severity;
  std::string message;
  std::string fix;
};

struct TokenPassResult {
  std::vector<clang::Token> tokens;
  std::vector<KernelInstantiation> instantiations;
  std::vector<TokenMessage> messages;
};

// Prefix of the annotations that stand for MSL attributes, for example "msl.buffer".
inline constexpr char kAnnotationPrefix[] = "msl.";
// Behind the prefix: the annotation of parameters whose attribute nobody knows. Its argument is the
// attribute's name.
inline constexpr char kUnknownAttribute[] = "unknown";
// Prefix of the name of the bool that says whether a function constant was given a value.
inline constexpr char kDefinedPrefix[] = "__assay_defined_";

TokenPassResult rewrite_tokens(const Tokens& tokens, clang::Preprocessor& preprocessor,
                               const Repairs& repairs);

}  // namespace assay::msl
