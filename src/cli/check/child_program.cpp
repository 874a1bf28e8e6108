// See child_program.h.
#include "cli/check/child_program.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "cli/program_start.h"

namespace assay::cli {
namespace {

constexpr int kCannotStart = 127;

// The child, for the signal handler.
volatile sig_atomic_t child_id = 0;

void pass_on(int signal) { ::kill(static_cast<pid_t>(child_id), signal); }

// While it lives, the terminal's signals are the child's business, and a request to end is passed
// on to it: this process has to outlive it to tell what it found.
class SignalGuard {
 public:
  SignalGuard() {
    set(SIGINT, SIG_IGN, before_[0]);
    set(SIGQUIT, SIG_IGN, before_[1]);
    set(SIGTERM, pass_on, before_[2]);
  }
  ~SignalGuard() { restore(); }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

  void restore() const {
    ::sigaction(SIGINT, &before_[0], nullptr);
    ::sigaction(SIGQUIT, &before_[1], nullptr);
    ::sigaction(SIGTERM, &before_[2], nullptr);
  }

 private:
  static void set(int signal, void (*handler)(int), struct sigaction& before) {
    struct sigaction action = {};
    action.sa_handler = handler;
    ::sigaction(signal, &action, &before);
  }

  std::array<struct sigaction, 3> before_ = {};
};

}  // namespace

Result<int> run_child_program(const std::vector<std::string>& command) {
  const SignalGuard guard;
  const pid_t child = ::fork();
  if (child < 0) {
    return Error{fmt::format("cannot start a process: {}", std::generic_category().message(errno))};
  }
  if (child == 0) {
    guard.restore();
    const std::string text = fmt::format("error: {}\n", start_program(command).message);
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    ::_exit(kCannotStart);
  }
  child_id = child;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno == EINTR) continue;
    return Error{fmt::format("lost the program: {}", std::generic_category().message(errno))};
  }
  if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  return WEXITSTATUS(status);
}

}  // namespace assay::cli
