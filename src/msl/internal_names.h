// Names that only assay's own headers and rewritten tokens have, out of clang's messages: people
// read the types that they stand for.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/Basic/Diagnostic.h>

#include <string>

namespace assay::msl {

// From now on, clang spells types without the library's own names for them.
void spell_known_types(clang::DiagnosticsEngine& diagnostics, clang::ASTContext& context);

// Replaces each of clang's types by the one that a reader knows, where clang says which that is;
// names made from the user's become those again.
std::string without_internal_names(std::string message);

// Whether some are left: such a message is about what MSL was mapped to.
bool has_internal_names(const std::string& message);

}  // namespace assay::msl
