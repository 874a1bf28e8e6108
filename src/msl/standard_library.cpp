// See standard_library.h.
#include "msl/standard_library.h"

#include <string>

#include "msl/metal_words.h"

namespace assay::msl {

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> standard_library_file_system(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const base::EmbeddedFile& file : standard_library_files()) {
    std::string path = std::string(kStandardLibraryFolder) + "/" + std::string(file.path);
    memory->addFile(path, 0,
                    llvm::MemoryBuffer::getMemBuffer({file.text.data(), file.text.size()}, path));
  }
  std::string_view precompiled = precompiled_standard_library();
  if (!precompiled.empty()) {
    memory->addFile(
        kPrecompiledPath, 0,
        llvm::MemoryBuffer::getMemBuffer({precompiled.data(), precompiled.size()}, kPrecompiledPath,
                                         /*RequiresNullTerminator=*/false));
  }
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(files));
  overlay->pushOverlay(memory);
  return overlay;
}

}  // namespace assay::msl
