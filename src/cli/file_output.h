// A file that a command writes piece by piece.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "base/result.h"

namespace assay::cli {

// The file appears whole or not at all: it is written beside its place and then renamed, except for
// pipes and devices, which are written directly.
class FileOutput {
 public:
  static Result<FileOutput> create(const std::string& path);
  ~FileOutput();
  FileOutput(FileOutput&& other) noexcept;
  FileOutput& operator=(FileOutput&&) = delete;

  Result<void> write(std::string_view text);
  // The last call; without it nothing appears.
  Result<void> close();

 private:
  FileOutput(std::string path, std::string written, std::FILE* file)
      : path_(std::move(path)), written_(std::move(written)), file_(file) {}
  Error error() const;

  std::string path_;
  std::string written_;  // where the bytes go until then
  std::FILE* file_;
};

}  // namespace assay::cli
