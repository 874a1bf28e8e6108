// What clang's diagnostics carry besides their text.
#pragma once

#include <clang/AST/Type.h>
#include <clang/Basic/Diagnostic.h>

namespace assay::msl {

// Null if the argument is no type.
inline clang::QualType type_argument(const clang::Diagnostic& diagnostic, unsigned index) {
  if (diagnostic.getArgKind(index) != clang::DiagnosticsEngine::ak_qualtype) return {};
  return clang::QualType::getFromOpaquePtr(reinterpret_cast<void*>(diagnostic.getRawArg(index)));
}

}  // namespace assay::msl
