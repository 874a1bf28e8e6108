// Whole files as bytes, for callers to whom every failure means the same: there is nothing to use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace assay::base {

struct ReadFileOptions {
  // Take only plain files that belong to this user and that nobody else may write.
  bool must_be_private = false;
  // Larger files count as unreadable.
  uint64_t max_bytes = UINT64_MAX;
};

// Follows symbolic links unless the file must be private.
std::optional<std::string> read_file(const std::string& path, const ReadFileOptions& options = {});

}  // namespace assay::base
