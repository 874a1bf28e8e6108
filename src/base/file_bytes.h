// Whole files as bytes. Reading is for callers to whom every failure means the same: there is
// nothing to use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"

namespace assay::base {

struct ReadFileOptions {
  // Take only plain files that belong to this user and that nobody else may write.
  bool must_be_private = false;
  // Larger files count as unreadable.
  uint64_t max_bytes = UINT64_MAX;
};

// Follows symbolic links unless the file must be private.
std::optional<std::string> read_file(const std::string& path, const ReadFileOptions& options = {});

// Writes the parts one behind the other. The file appears whole or not at all: it is written beside
// its place and then renamed. The error is the system's reason, without the path.
Result<void> write_file(const std::filesystem::path& path,
                        std::span<const std::span<const std::byte>> parts);

}  // namespace assay::base
