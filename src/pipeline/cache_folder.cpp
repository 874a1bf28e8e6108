// See cache_folder.h.
#include "pipeline/cache_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>

#include "base/file_bytes.h"
#include "base/file_descriptor.h"

namespace assay::pipeline {
namespace {

// Writers that were killed leave these; others may still be at work on theirs.
constexpr std::string_view kTemporarySuffix = ".tmp";
constexpr double kTemporaryLifeSeconds = 600;

// How exactly uses are remembered: marking every single one would write to the disk each time.
constexpr double kUseResolutionSeconds = 60;

struct FolderFile {
  std::string name;
  uint64_t bytes = 0;
  double age_s = 0;
};

double age_s(const struct stat& status) {
  const double modified = static_cast<double>(status.st_mtim.tv_sec) +
                          1e-9 * static_cast<double>(status.st_mtim.tv_nsec);
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  return now.count() - modified;
}

// Plain files only; empty when the folder cannot be read.
std::vector<FolderFile> read_folder(const std::string& path) {
  std::vector<FolderFile> files;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
  if (!folder) return files;
  while (const dirent* entry = ::readdir(folder.get())) {
    struct stat status = {};
    if (::fstatat(::dirfd(folder.get()), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode)) {
      continue;
    }
    files.push_back({entry->d_name, static_cast<uint64_t>(status.st_size), age_s(status)});
  }
  return files;
}

void remove_file(const std::string& folder, const FolderFile& file, RemovedFiles& removed) {
  if (::unlink((folder + "/" + file.name).c_str()) != 0) return;
  ++removed.count;
  removed.bytes += file.bytes;
}

// A user's limit on file sizes would end the process with a signal instead of an error.
class SizeSignalBlock {
 public:
  SizeSignalBlock() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGXFSZ);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  }
  ~SizeSignalBlock() {
    constexpr timespec kNoWait = {};
    const int error = errno;
    if (!was_pending_) sigtimedwait(&signals_, nullptr, &kNoWait);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }
  SizeSignalBlock(const SizeSignalBlock&) = delete;
  SizeSignalBlock& operator=(const SizeSignalBlock&) = delete;

 private:
  sigset_t signals_;
  sigset_t before_;
  bool was_pending_ = false;
};

bool write_all(int file, std::string_view bytes) {
  const SizeSignalBlock block;
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

bool is_temporary(std::string_view name) {
  const size_t suffix = name.find('.');
  const size_t end = suffix == std::string_view::npos ? suffix : name.find('.', suffix + 1);
  return name.ends_with(kTemporarySuffix) && end != std::string_view::npos &&
         parse_file_name(name.substr(0, end));
}

std::string system_problem(std::string_view what, const std::string& path) {
  return fmt::format("{} {}: {}", what, path, std::strerror(errno));
}

// All folders of the path; those that are there already stay as they are.
bool make_folders(const std::string& path) {
  for (size_t end = 0; end != std::string::npos;) {
    end = path.find('/', end + 1);
    if (::mkdir(path.substr(0, end).c_str(), S_IRWXU) != 0 && errno != EEXIST) return false;
  }
  return true;
}

base::FileDescriptor create_file(const std::string& path) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
  return base::FileDescriptor(::open(path.c_str(), kFlags, S_IRUSR | S_IWUSR));
}

// Makes the folder, too, if it has to. Returns what went wrong; then there is no file.
std::string write_new_file(const std::string& folder, const std::string& path,
                           std::string_view bytes) {
  base::FileDescriptor file = create_file(path);
  if (!file && errno == ENOENT) {
    if (!make_folders(folder)) return system_problem("cannot make the folder", folder);
    file = create_file(path);
  }
  if (!file) return system_problem("cannot write to", folder);
  if (write_all(file.number(), bytes)) return {};
  std::string problem = system_problem("cannot write to", folder);
  ::unlink(path.c_str());
  return problem;
}

}  // namespace

std::optional<LoadedEntry> LoadedEntry::create(std::string file, const EntryId& id) {
  const std::optional<EntryView> view = decode_entry(file, id);
  if (!view) return std::nullopt;
  const size_t payload_begin = file.size() - view->payload.size();
  return LoadedEntry(std::move(file), payload_begin);
}

CacheFolder::CacheFolder(std::string path, uint64_t limit_bytes)
    : path_(std::move(path)), limit_bytes_(limit_bytes) {}

std::string CacheFolder::file_path(const EntryId& id) const { return path_ + "/" + file_name(id); }

// Unique among the processes that share the folder, also across containers, and their threads.
std::string CacheFolder::temporary_path(const EntryId& id) const {
  return fmt::format("{}.{}-{:x}-{}{}", file_path(id), ::getpid(),
                     std::chrono::system_clock::now().time_since_epoch().count(),
                     files_written_.fetch_add(1), kTemporarySuffix);
}

std::optional<LoadedEntry> CacheFolder::load(const EntryId& id) {
  if (path_.empty()) return std::nullopt;
  const std::string path = file_path(id);
  // Entries are code that will run: only what this user wrote is taken.
  std::optional<std::string> file = base::read_file(path, {.must_be_private = true});
  if (!file) return std::nullopt;
  std::optional<LoadedEntry> entry = LoadedEntry::create(std::move(*file), id);
  if (!entry) {
    remove(id);
    return std::nullopt;
  }
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0 && age_s(status) > kUseResolutionSeconds) {
    ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  }
  return entry;
}

void CacheFolder::store(const EntryId& id, std::string_view title, std::string_view payload) {
  if (path_.empty()) return;
  const std::string file = encode_entry(id, title, payload);
  if (file.size() > limit_bytes_ / 2) return;
  const std::string temporary = temporary_path(id);
  std::string problem = write_new_file(path_, temporary, file);
  if (problem.empty() && ::rename(temporary.c_str(), file_path(id).c_str()) != 0) {
    // When it has gone, somebody is clearing the folder, which is no failure.
    if (errno != ENOENT) problem = system_problem("cannot write to", path_);
    ::unlink(temporary.c_str());
  }
  set_note(std::move(problem));
  if (is_time_to_evict(id, file.size())) evict();
}

void CacheFolder::remove(const EntryId& id) const { ::unlink(file_path(id).c_str()); }

std::string CacheFolder::find_problem() const {
  const std::string temporary = temporary_path({});
  std::string problem = write_new_file(path_, temporary, "assay tries whether it may write here\n");
  ::unlink(temporary.c_str());
  return problem;
}

void CacheFolder::set_note(std::string note) {
  const std::lock_guard lock(mutex_);
  note_ = std::move(note);
}

std::string CacheFolder::note() const {
  const std::lock_guard lock(mutex_);
  return note_;
}

// Keys are evenly spread, so this is one store in 32 over all processes together; and no process
// adds much without looking.
bool CacheFolder::is_time_to_evict(const EntryId& id, uint64_t stored_bytes) {
  const uint64_t bytes = bytes_since_evict_.fetch_add(stored_bytes) + stored_bytes;
  if (id.key.high % 32 != 0 && bytes < limit_bytes_ / 32) return false;
  bytes_since_evict_ = 0;
  return true;
}

std::vector<EntryFile> CacheFolder::list() const {
  std::vector<EntryFile> entries;
  for (const FolderFile& file : read_folder(path_)) {
    const std::optional<EntryId> id = parse_file_name(file.name);
    if (id) entries.push_back({*id, file.bytes, file.age_s});
  }
  std::ranges::sort(entries, {}, &EntryFile::age_s);
  return entries;
}

std::string CacheFolder::load_title(const EntryId& id) const {
  const base::FileDescriptor file(
      ::open(file_path(id).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  std::string start(kEntryHeadBytes, '\0');
  const ssize_t got = file ? ::read(file.number(), start.data(), start.size()) : 0;
  start.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  return std::string(peek_title(start));
}

RemovedFiles CacheFolder::clear(double older_than_s) const {
  RemovedFiles removed;
  for (const FolderFile& file : read_folder(path_)) {
    const bool is_ours = parse_file_name(file.name) || is_temporary(file.name);
    // Clocks may jump: an entry from the future is removed by a full clear, too.
    if (is_ours && (older_than_s <= 0 || file.age_s >= older_than_s)) {
      remove_file(path_, file, removed);
    }
  }
  return removed;
}

RemovedFiles CacheFolder::evict() const {
  RemovedFiles removed;
  std::vector<FolderFile> files = read_folder(path_);
  uint64_t total_bytes = 0;
  std::erase_if(files, [&](const FolderFile& file) {
    if (is_temporary(file.name) && file.age_s > kTemporaryLifeSeconds) {
      remove_file(path_, file, removed);
    }
    if (!parse_file_name(file.name)) return true;
    total_bytes += file.bytes;
    return false;
  });
  if (total_bytes <= limit_bytes_) return removed;
  std::ranges::sort(files, std::greater<>(), &FolderFile::age_s);
  const uint64_t enough_bytes = removed.bytes + total_bytes - limit_bytes_ / 4 * 3;
  for (const FolderFile& file : files) {
    if (removed.bytes >= enough_bytes) break;
    remove_file(path_, file, removed);
  }
  return removed;
}

}  // namespace assay::pipeline
