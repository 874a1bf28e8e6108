// See dot.h: pictures are made by Graphviz.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "analysis/exporters/dot.h"
#include "base/file_descriptor.h"

namespace assay::analysis {
namespace {

// A file without a name: a pipe in both directions could block both ends.
base::FileDescriptor open_temporary() {
  std::error_code failure;
  std::string pattern = (std::filesystem::temp_directory_path(failure) / "assay_XXXXXX").string();
  base::FileDescriptor file(::mkostemp(pattern.data(), O_CLOEXEC));
  if (file) ::unlink(pattern.c_str());
  return file;
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return ::lseek(file, 0, SEEK_SET) == 0;
}

std::string read_all(int file) {
  std::string text;
  std::array<char, 1 << 16> piece;
  ::lseek(file, 0, SEEK_SET);
  while (true) {
    const ssize_t count = ::read(file, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(piece.data(), static_cast<size_t>(count));
  }
}

}  // namespace

Result<std::string> render_svg(const std::string& dot) {
  const base::FileDescriptor input = open_temporary();
  const base::FileDescriptor output = open_temporary();
  if (!input || !output || !write_all(input.number(), dot)) {
    return Error{fmt::format("no room for temporary files: {}", std::strerror(errno))};
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.number(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.number(), STDOUT_FILENO);
  const char* arguments[] = {"dot", "-Tsvg", nullptr};
  pid_t child = 0;
  const int failure = ::posix_spawnp(&child, "dot", &actions, nullptr,
                                     const_cast<char* const*>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure == ENOENT) {
    return Error{
        "pictures are made by the program 'dot', which is not there; install the package "
        "'graphviz', or export to a .dot file instead"};
  }
  if (failure != 0) return Error{fmt::format("'dot' cannot be run: {}", std::strerror(failure))};
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return Error{"'dot' could not draw the graph; fewer commands (--limit) may help"};
  }
  return read_all(output.number());
}

}  // namespace assay::analysis
