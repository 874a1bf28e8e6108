// The kernel cache on disk: what earlier processes compiled, ready to load. Shared by all threads
// of a process and by all processes of a user; never the reason that something fails.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "base/settings.h"
#include "kernel/kernel_image.h"
#include "pipeline/cache_folder.h"
#include "pipeline/cache_records.h"

namespace assay::pipeline {

// Of all processes since the cache was last cleared.
struct CacheStatistics {
  uint64_t hits = 0;    // kernels that were there
  uint64_t misses = 0;  // kernels that had to be built
};

// Thread-safe. Three kinds of entries: a library by its source_key() (with the files it was made
// from), its bitcode by its content, and kernels by their kernel_key().
class KernelCache {
 public:
  // Nothing when the settings switch the cache off or give it no place.
  static std::shared_ptr<KernelCache> create(const base::Settings& settings);

  KernelCache(std::string folder, uint64_t limit_bytes);
  // Adds this process's hits and misses to those of the others.
  ~KernelCache();
  KernelCache(const KernelCache&) = delete;
  KernelCache& operator=(const KernelCache&) = delete;

  // Only if every file the library was made from is still the same.
  std::optional<LibraryRecord> find_library(const base::Hash128& source);
  // Source keys belong to records, contents to bitcodes.
  void store_library(const base::Hash128& source, std::string_view title,
                     const LibraryRecord& record, std::string_view bitcode);

  std::optional<std::string> find_bitcode(const base::Hash128& content);
  void store_bitcode(const base::Hash128& content, std::string_view title,
                     std::string_view bitcode);

  std::optional<kernel::KernelImage> find_kernel(const base::Hash128& key);
  void store_kernel(const base::Hash128& key, const kernel::KernelImage& image);
  // For an image that turned out not to load.
  void remove_kernel(const base::Hash128& key);

  const CacheFolder& folder() const { return folder_; }
  CacheStatistics load_statistics() const;
  // Entries last used that long ago; 0 removes everything, also the statistics.
  RemovedFiles clear(double older_than_s);

 private:
  std::string statistics_path() const;
  void add_statistics() const;

  CacheFolder folder_;
  std::atomic<uint64_t> hits_ = 0;
  std::atomic<uint64_t> misses_ = 0;
};

}  // namespace assay::pipeline
