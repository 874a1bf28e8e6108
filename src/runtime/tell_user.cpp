// See tell_user.h.
#include "runtime/tell_user.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

namespace assay::runtime {

void tell_user(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

void tell_user_line(std::string_view message) { tell_user(fmt::format("assay: {}\n", message)); }

}  // namespace assay::runtime
