// Where the processes of a recording write their parts, which become one document in the end.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace assay::cli {

// Beside the output, so that a part can become it. Removed with everything in it.
class PartsFolder {
 public:
  static Result<PartsFolder> create(const std::string& output);
  PartsFolder(PartsFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PartsFolder& operator=(PartsFolder&&) = delete;
  ~PartsFolder() {
    std::error_code failure;
    if (!path_.empty()) std::filesystem::remove_all(path_, failure);
  }

  const std::string& path() const { return path_; }
  uint64_t bytes() const;
  // The main program's first: the one that began first.
  Result<std::vector<std::string>> parts() const;

 private:
  explicit PartsFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// The parts as one document. False: there are none.
Result<bool> join_parts(const PartsFolder& folder, const std::string& output);

}  // namespace assay::cli
