// See document_file.h.
#include "trace/document_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/file_descriptor.h"
#include "trace/database.h"
#include "trace/schema.h"

namespace assay::trace {
namespace {

constexpr mode_t kMode = 0644;

Result<std::vector<std::byte>> empty_document() {
  Result<Database> database = Database::open_in_memory();
  if (!database) return database.error();
  const std::string sql = fmt::format("PRAGMA application_id={}; PRAGMA user_version={}; {}",
                                      kApplicationId, kSchemaVersion, schema_sql());
  if (Result<void> made = database->execute(sql); !made) return made.error();
  return database->serialise();
}

// 0 or the error number.
int write_all(int file, const std::vector<std::byte>& bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::write(file, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    done += static_cast<size_t>(count);
  }
  return 0;
}

// A file without a name, which gets one when it is complete. Not every file system can do that.
int create_unnamed(const std::string& path, const std::vector<std::byte>& bytes) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const base::FileDescriptor file(
      ::open(parent.empty() ? "." : parent.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kMode));
  if (!file) return errno;
  if (const int failure = write_all(file.number(), bytes); failure != 0) return failure;
  const std::string name = fmt::format("/proc/self/fd/{}", file.number());
  const int linked = ::linkat(AT_FDCWD, name.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW);
  return linked == 0 ? 0 : errno;
}

int create_named(const std::string& path, const std::vector<std::byte>& bytes) {
  const base::FileDescriptor file(
      ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, kMode));
  if (!file) return errno;
  const int failure = write_all(file.number(), bytes);
  if (failure != 0) ::unlink(path.c_str());
  return failure;
}

}  // namespace

Result<void> create_document_file(const std::string& path) {
  const Result<std::vector<std::byte>> bytes = empty_document();
  if (!bytes) return bytes.error();
  int failure = create_unnamed(path, *bytes);
  if (failure != 0 && failure != EEXIST) failure = create_named(path, *bytes);
  if (failure == 0) return {};
  if (failure == EEXIST) {
    return Error{fmt::format(
        "'{}' already exists, and nothing is overwritten; remove it or choose another path", path)};
  }
  return Error{
      fmt::format("'{}' cannot be created: {}; check that its folder exists and may be written",
                  path, std::strerror(failure))};
}

}  // namespace assay::trace
