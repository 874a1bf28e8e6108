// See file_output.h.
#include "cli/file_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace assay::cli {

Result<FileOutput> FileOutput::create(const std::string& path) {
  std::error_code failure;
  const auto kind = std::filesystem::status(path, failure).type();
  const bool is_direct =
      kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::regular;
  const std::string written = is_direct ? path : fmt::format("{}.{}.part", path, ::getpid());
  std::FILE* file = std::fopen(written.c_str(), "wb");
  FileOutput output(path, written, file);
  if (file == nullptr) return output.error();
  return output;
}

FileOutput::FileOutput(FileOutput&& other) noexcept
    : path_(std::move(other.path_)),
      written_(std::move(other.written_)),
      file_(std::exchange(other.file_, nullptr)) {}

FileOutput::~FileOutput() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  if (written_ != path_) ::unlink(written_.c_str());
}

Error FileOutput::error() const {
  return Error{fmt::format("'{}' cannot be written: {}", path_, std::strerror(errno))};
}

Result<void> FileOutput::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) return error();
  return {};
}

Result<void> FileOutput::close() {
  if (std::fflush(file_) != 0) return error();
  std::fclose(std::exchange(file_, nullptr));
  if (written_ == path_ || std::rename(written_.c_str(), path_.c_str()) == 0) return {};
  const Error failure = error();
  ::unlink(written_.c_str());
  return failure;
}

}  // namespace assay::cli
