// Reading with plain system calls: a stream costs more than a small file itself.
#include "base/file_bytes.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/file_descriptor.h"

namespace assay::base {
namespace {

bool is_private(const struct stat& status) {
  return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace

std::optional<std::string> read_file(const std::string& path, const ReadFileOptions& options) {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (options.must_be_private ? O_NOFOLLOW : 0);
  const FileDescriptor file(::open(path.c_str(), flags));
  struct stat status = {};
  if (!file || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  if (options.must_be_private && !is_private(status)) return {};
  if (static_cast<uint64_t>(status.st_size) > options.max_bytes) return {};
  std::string bytes(static_cast<size_t>(status.st_size), '\0');
  size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::read(file.number(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return {};
    if (got == 0) break;  // somebody cut it off meanwhile
    filled += static_cast<size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

Result<void> write_file(const std::filesystem::path& path,
                        std::span<const std::span<const std::byte>> parts) {
  std::filesystem::path temporary = path;
  temporary += ".part";
  const auto fail = [&](int code) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    return Error{std::error_code(code, std::generic_category()).message()};
  };
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file(std::fopen(temporary.c_str(), "wb"));
  if (!file) return fail(errno);
  for (const std::span<const std::byte> part : parts) {
    if (std::fwrite(part.data(), 1, part.size(), file.get()) != part.size()) return fail(errno);
  }
  if (std::fflush(file.get()) != 0) return fail(errno);
  file.reset();
  std::error_code renamed;
  std::filesystem::rename(temporary, path, renamed);
  if (renamed) return fail(renamed.value());
  return {};
}

}  // namespace assay::base
