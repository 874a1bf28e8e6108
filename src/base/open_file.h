// A plain file that stays open for reading at any place. What is read belongs to the file that was
// opened, also when another one takes its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace assay::base {

// Thread-safe: reading moves no position.
class OpenFile {
 public:
  // The error is the system's reason, without the path. Only plain files have places to read at.
  static Result<OpenFile> create(const std::filesystem::path& path);

  const std::string& path() const { return path_; }
  // Bytes it has now.
  Result<uint64_t> size() const;
  // Fills as much of `target` as the file has from `offset` on; returns how much that was.
  Result<uint64_t> read(uint64_t offset, std::span<std::byte> target) const;

 private:
  OpenFile(FileDescriptor file, std::string path)
      : file_(std::move(file)), path_(std::move(path)) {}

  FileDescriptor file_;
  std::string path_;
};

}  // namespace assay::base
