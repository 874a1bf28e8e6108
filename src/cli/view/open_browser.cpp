// See open_browser.h.
#include "cli/view/open_browser.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace assay::cli {
namespace {

// In the grandchild, so that nobody has to wait for the browser.
[[noreturn]] void start(const char* url) {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::setsid();
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (int stream = 0; stream < 3; ++stream) ::dup2(nowhere, stream);
  ::execlp("xdg-open", "xdg-open", url, static_cast<char*>(nullptr));
  ::_exit(1);
}

}  // namespace

void open_browser(const std::string& url) {
  const pid_t child = ::fork();
  if (child < 0) return;
  if (child == 0) {
    if (::fork() == 0) start(url.c_str());
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
}

}  // namespace assay::cli
