// See source_place.h.
#include "codegen/checks/source_place.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "msl/metal_words.h"

namespace assay::codegen {
namespace {

bool is_library_file(llvm::StringRef path) { return path.starts_with(msl::kStandardLibraryFolder); }

}  // namespace

std::vector<kernel::SitePlace> source_places(const llvm::DebugLoc& location) {
  std::vector<kernel::SitePlace> places;
  for (const llvm::DILocation* at = location.get(); at != nullptr; at = at->getInlinedAt()) {
    if (at->getLine() == 0 || is_library_file(at->getFilename())) continue;
    places.push_back({at->getFilename().str(), at->getLine(), at->getColumn()});
  }
  return places;
}

bool is_standard_library(const llvm::Function& function) {
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  return subprogram != nullptr && is_library_file(subprogram->getFilename());
}

}  // namespace assay::codegen
