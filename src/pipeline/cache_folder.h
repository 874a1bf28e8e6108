// A folder of entries on disk that many processes and threads use at once. Knows keys and bytes,
// not what they mean. Nothing here fails for the user: what cannot be read is a miss, what cannot
// be written is left out, and note() says why.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/cache_entry.h"

namespace assay::pipeline {

// An entry in memory; the view points into the file's bytes, which move with it.
class LoadedEntry {
 public:
  static std::optional<LoadedEntry> create(std::string file, const EntryId& id);

  std::string_view payload() const { return std::string_view(file_).substr(payload_begin_); }

 private:
  LoadedEntry(std::string file, size_t payload_begin)
      : file_(std::move(file)), payload_begin_(payload_begin) {}

  std::string file_;
  size_t payload_begin_ = 0;
};

struct EntryFile {
  EntryId id;
  uint64_t bytes = 0;
  double age_s = 0;  // since it was last used
};

struct RemovedFiles {
  uint64_t count = 0;
  uint64_t bytes = 0;
};

// Thread-safe. Entries appear whole or not at all: they are written beside their place and renamed
// into it. There is no lock and no index; the folder itself is the truth.
class CacheFolder {
 public:
  // The folder is made when the first entry is stored. An empty path keeps nothing.
  CacheFolder(std::string path, uint64_t limit_bytes);

  const std::string& path() const { return path_; }
  uint64_t limit_bytes() const { return limit_bytes_; }

  // Verifies the entry and marks it as used; a damaged one is removed.
  std::optional<LoadedEntry> load(const EntryId& id);
  void store(const EntryId& id, std::string_view title, std::string_view payload);
  void remove(const EntryId& id) const;

  // Most recently used first.
  std::vector<EntryFile> list() const;
  // Empty when it cannot be read.
  std::string load_title(const EntryId& id) const;

  // Removes entries that were last used that long ago; 0 removes all. Foreign files stay.
  RemovedFiles clear(double older_than_s) const;
  // Removes the least recently used entries once the folder is larger than its limit, down to three
  // quarters of it, so that this happens rarely. Called by store() now and then.
  RemovedFiles evict() const;

  // Tries whether an entry could be stored now: why not, or nothing.
  std::string find_problem() const;
  // Why the last entry was not stored; empty when it was.
  std::string note() const;

 private:
  std::string file_path(const EntryId& id) const;
  std::string temporary_path(const EntryId& id) const;
  void set_note(std::string note);
  bool is_time_to_evict(const EntryId& id, uint64_t stored_bytes);

  const std::string path_;
  const uint64_t limit_bytes_;
  mutable std::atomic<uint64_t> files_written_ = 0;
  std::atomic<uint64_t> bytes_since_evict_ = 0;
  mutable std::mutex mutex_;
  std::string note_;
};

}  // namespace assay::pipeline
