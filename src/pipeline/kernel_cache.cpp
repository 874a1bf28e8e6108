// See kernel_cache.h.
#include "pipeline/kernel_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "base/file_bytes.h"
#include "base/file_descriptor.h"
#include "pipeline/debug_source.h"

namespace assay::pipeline {
namespace {

bool exists(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0;
}

bool is_unchanged(const msl::FileUse& use) {
  switch (use.kind) {
    case msl::FileUse::Kind::kAbsent: return !exists(use.path);
    case msl::FileUse::Kind::kPresent: return exists(use.path);
    case msl::FileUse::Kind::kRead: break;
  }
  const std::optional<std::string> text = base::read_file(use.path);
  return text && base::hash_content(std::as_bytes(std::span(*text))) == use.content;
}

}  // namespace

std::shared_ptr<KernelCache> KernelCache::create(const base::Settings& settings) {
  if (!settings.is_cache_on || settings.cache_folder.empty()) return nullptr;
  return std::make_shared<KernelCache>(settings.cache_folder, settings.cache_limit_bytes);
}

KernelCache::KernelCache(std::string folder, uint64_t limit_bytes)
    : folder_(std::move(folder), limit_bytes) {}

KernelCache::~KernelCache() { add_statistics(); }

std::optional<LibraryRecord> KernelCache::find_library(const base::Hash128& source) {
  const auto entry = folder_.load({EntryKind::kLibrary, source});
  if (!entry) return std::nullopt;
  std::optional<LibraryRecord> record = decode_library(entry->payload());
  if (record && !std::ranges::all_of(record->files, is_unchanged)) record.reset();
  return record;
}

void KernelCache::store_library(const base::Hash128& source, std::string_view title,
                                const LibraryRecord& record, std::string_view bitcode) {
  store_bitcode(record.content, title, bitcode);
  folder_.store({EntryKind::kLibrary, source}, title, encode(record));
}

std::optional<std::string> KernelCache::find_bitcode(const base::Hash128& content) {
  const auto entry = folder_.load({EntryKind::kBitcode, content});
  if (!entry) return std::nullopt;
  return std::string(entry->payload());
}

void KernelCache::store_bitcode(const base::Hash128& content, std::string_view title,
                                std::string_view bitcode) {
  folder_.store({EntryKind::kBitcode, content}, title, bitcode);
}

std::optional<kernel::KernelImage> KernelCache::find_kernel(const base::Hash128& key) {
  const auto entry = folder_.load({EntryKind::kKernel, key});
  std::optional<kernel::KernelImage> image;
  if (entry) image = decode_image(entry->payload());
  if (image) hits_.fetch_add(1, std::memory_order_relaxed);
  return image;
}

void KernelCache::store_kernel(const base::Hash128& key, const kernel::KernelImage& image) {
  misses_.fetch_add(1, std::memory_order_relaxed);
  folder_.store({EntryKind::kKernel, key}, image.info.name, encode(image));
}

void KernelCache::remove_kernel(const base::Hash128& key) {
  folder_.remove({EntryKind::kKernel, key});
}

std::string KernelCache::statistics_path() const { return folder_.path() + "/statistics"; }

CacheStatistics KernelCache::load_statistics() const {
  CacheStatistics statistics;
  const base::FileDescriptor file(::open(statistics_path().c_str(), O_RDONLY | O_CLOEXEC));
  if (!file || ::pread(file.number(), &statistics, sizeof statistics, 0) != sizeof statistics) {
    return {};
  }
  return statistics;
}

// Counts of a process are lost when another one is counting at this moment: nobody waits for them.
void KernelCache::add_statistics() const {
  if (hits_ == 0 && misses_ == 0) return;
  constexpr int kFlags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW;
  const base::FileDescriptor file(::open(statistics_path().c_str(), kFlags, S_IRUSR | S_IWUSR));
  if (!file || ::flock(file.number(), LOCK_EX | LOCK_NB) != 0) return;
  CacheStatistics statistics;
  if (::pread(file.number(), &statistics, sizeof statistics, 0) != sizeof statistics) {
    statistics = {};
  }
  statistics.hits += hits_;
  statistics.misses += misses_;
  [[maybe_unused]] const ssize_t written =
      ::pwrite(file.number(), &statistics, sizeof statistics, 0);
}

RemovedFiles KernelCache::clear(double older_than_s) {
  if (older_than_s <= 0) {
    ::unlink(statistics_path().c_str());
    std::error_code problem;  // what stays is only in the way of nobody
    std::filesystem::remove_all(std::filesystem::path(folder_.path()) / kDebugSourceFolder,
                                problem);
  }
  return folder_.clear(older_than_s);
}

}  // namespace assay::pipeline
