// Watches which files of the user a compilation looks at.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "msl/file_use.h"

namespace assay::msl {

// One compilation's files, each once. Used by the one thread that compiles.
class FileUseList {
 public:
  void note_absent(const std::string& path);
  void note_present(const std::string& path);
  void note_read(const std::string& path, llvm::StringRef content);

  // Sorted by path, without `source`.
  std::vector<FileUse> take(const std::string& source);

 private:
  std::map<std::string, FileUse> uses_;
};

// The files of this machine; every question about one is noted in `list`. What is hashed is what
// the compiler got, even if the file changes a moment later.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> record_file_uses(std::shared_ptr<FileUseList> list);

}  // namespace assay::msl
