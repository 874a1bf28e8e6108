// See record_file_uses.h.
#include "msl/record_file_uses.h"

#include <llvm/Support/MemoryBuffer.h>

#include <span>
#include <utility>

#include "msl/metal_words.h"

namespace assay::msl {
namespace {

namespace vfs = llvm::vfs;

class RecordedFile final : public vfs::File {
 public:
  RecordedFile(std::unique_ptr<vfs::File> file, std::string path, std::shared_ptr<FileUseList> list)
      : file_(std::move(file)), path_(std::move(path)), list_(std::move(list)) {}

  llvm::ErrorOr<vfs::Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::string> getName() override { return file_->getName(); }
  std::error_code close() override { return file_->close(); }

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name,
                                                               int64_t size, bool is_terminated,
                                                               bool is_volatile) override {
    auto buffer = file_->getBuffer(name, size, is_terminated, is_volatile);
    if (buffer) list_->note_read(path_, (*buffer)->getBuffer());
    return buffer;
  }

 private:
  const std::unique_ptr<vfs::File> file_;
  const std::string path_;
  const std::shared_ptr<FileUseList> list_;
};

class RecordingFileSystem final : public vfs::ProxyFileSystem {
 public:
  explicit RecordingFileSystem(std::shared_ptr<FileUseList> list)
      : ProxyFileSystem(vfs::createPhysicalFileSystem()), list_(std::move(list)) {}

  llvm::ErrorOr<vfs::Status> status(const llvm::Twine& path) override {
    auto status = ProxyFileSystem::status(path);
    // A folder that is there says nothing: what matters is what was found or missed in it.
    if (!status || !status->isDirectory()) note(path, static_cast<bool>(status));
    return status;
  }

  bool exists(const llvm::Twine& path) override {
    const bool is_there = ProxyFileSystem::exists(path);
    note(path, is_there);
    return is_there;
  }

  llvm::ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    note(path, static_cast<bool>(file));
    if (!file) return file;
    return std::unique_ptr<vfs::File>(
        std::make_unique<RecordedFile>(std::move(*file), path.str(), list_));
  }

 private:
  void note(const llvm::Twine& path, bool is_there) {
    std::string text = path.str();
    // Ours lie over the user's files; the compiler also asks for some that only seem to be there.
    if (text.starts_with(kStandardLibraryFolder)) return;
    is_there ? list_->note_present(text) : list_->note_absent(text);
  }

  const std::shared_ptr<FileUseList> list_;
};

}  // namespace

void FileUseList::note_absent(const std::string& path) {
  uses_.try_emplace(path, FileUse{path, FileUse::Kind::kAbsent, {}});
}

void FileUseList::note_present(const std::string& path) {
  uses_.try_emplace(path, FileUse{path, FileUse::Kind::kPresent, {}});
}

void FileUseList::note_read(const std::string& path, llvm::StringRef content) {
  const auto bytes = std::as_bytes(std::span(content.data(), content.size()));
  uses_[path] = FileUse{path, FileUse::Kind::kRead, base::hash_content(bytes)};
}

std::vector<FileUse> FileUseList::take(const std::string& source) {
  uses_.erase(source);
  std::vector<FileUse> uses;
  for (auto& [path, use] : uses_) uses.push_back(std::move(use));
  uses_.clear();
  return uses;
}

llvm::IntrusiveRefCntPtr<vfs::FileSystem> record_file_uses(std::shared_ptr<FileUseList> list) {
  return llvm::makeIntrusiveRefCnt<RecordingFileSystem>(std::move(list));
}

}  // namespace assay::msl
