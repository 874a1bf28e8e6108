// See open_file.h.
#include "base/open_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace assay::base {
namespace {

Error system_error(int code) {
  return Error{std::error_code(code, std::generic_category()).message()};
}

}  // namespace

Result<OpenFile> OpenFile::create(const std::filesystem::path& path) {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status = {};
  if (!file || ::fstat(file.number(), &status) != 0) return system_error(errno);
  if (S_ISDIR(status.st_mode)) return system_error(EISDIR);
  if (!S_ISREG(status.st_mode)) return Error{"it is not a plain file"};
  return OpenFile(std::move(file), path.string());
}

Result<uint64_t> OpenFile::size() const {
  struct stat status = {};
  if (::fstat(file_.number(), &status) != 0) return system_error(errno);
  return static_cast<uint64_t>(status.st_size);
}

Result<uint64_t> OpenFile::read(uint64_t offset, std::span<std::byte> target) const {
  constexpr size_t kMostAtOnce = size_t{1} << 30;  // the system reads no more than 2 GiB
  uint64_t filled = 0;
  while (filled < target.size()) {
    const size_t wanted = std::min(target.size() - filled, kMostAtOnce);
    const ssize_t got = ::pread(file_.number(), target.data() + filled, wanted,
                                static_cast<off_t>(offset + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(errno);
    if (got == 0) break;
    filled += static_cast<uint64_t>(got);
  }
  return filled;
}

}  // namespace assay::base
