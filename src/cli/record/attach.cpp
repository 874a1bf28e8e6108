// See attach.h.
#include "cli/record/attach.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <chrono>

#include "base/file_descriptor.h"
#include "runtime/control_page.h"

namespace assay::cli {
namespace {

using runtime::ControlPage;
using runtime::ControlState;
using Clock = std::chrono::steady_clock;

constexpr int kInterval_ms = 50;

volatile sig_atomic_t interrupts = 0;

// While it lives, Ctrl-C and SIGTERM are counted instead of ending this program.
class InterruptGuard {
 public:
  InterruptGuard() {
    interrupts = 0;
    struct sigaction action = {};
    action.sa_handler = [](int) { interrupts = interrupts + 1; };
    ::sigaction(SIGINT, &action, &before_[0]);
    ::sigaction(SIGTERM, &action, &before_[1]);
  }
  ~InterruptGuard() {
    ::sigaction(SIGINT, &before_[0], nullptr);
    ::sigaction(SIGTERM, &before_[1], nullptr);
  }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  std::array<struct sigaction, 2> before_ = {};
};

// A process that a number cannot be given to again while it is held.
class HeldProcess {
 public:
  static Result<HeldProcess> open(pid_t process) {
    base::FileDescriptor file(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
    if (!file) return Error{fmt::format("there is no process {}", process)};
    return HeldProcess(std::move(file));
  }
  // Waits a moment; true where the process is over.
  bool has_ended() const {
    pollfd wait{.fd = file_.number(), .events = POLLIN, .revents = 0};
    return ::poll(&wait, 1, kInterval_ms) == 1;
  }

 private:
  explicit HeldProcess(base::FileDescriptor file) : file_(std::move(file)) {}
  base::FileDescriptor file_;
};

// Whoever holds the page's lock is the only tool: what it finds there is left from one that died.
Result<void> wait_until_idle(ControlPage& page, const HeldProcess& held) {
  page.change(ControlState::kAsked, ControlState::kIdle);
  page.change(ControlState::kRecording, ControlState::kStopping);
  while (page.state() == ControlState::kStopping) {
    if (held.has_ended()) return Error{"it has ended"};
    if (interrupts > 0) return Error{"it still writes an earlier recording"};
  }
  if (page.state() == ControlState::kIdle) return {};
  return Error{"it is being recorded by the assay record that started it"};
}

// Until somebody wants it to end, or the process ended it: then it has said why.
Result<AttachEnd> wait_for_end(const ControlPage& page, const HeldProcess& held, double limit_s) {
  const auto end = Clock::now() + std::chrono::duration<double>(limit_s);
  while (true) {
    if (held.has_ended()) return AttachEnd::kProcessEnded;
    if (interrupts > 0) return AttachEnd::kInterrupted;
    if (limit_s > 0 && Clock::now() >= end) return AttachEnd::kTimeLimit;
    if (page.state() != ControlState::kIdle) continue;
    if (const std::string message = page.message(); !message.empty()) return Error{message};
    return AttachEnd::kTimeLimit;
  }
}

// The process writes the rest and is as it was before. A second Ctrl-C does not wait for that.
Result<void> stop(ControlPage& page, const HeldProcess& held) {
  if (page.change(ControlState::kAsked, ControlState::kIdle)) return {};
  page.change(ControlState::kRecording, ControlState::kStopping);
  while (page.state() == ControlState::kStopping && !held.has_ended()) {
    if (interrupts > 1) return Error{"stopped before the process had written all"};
  }
  const std::string message = page.message();
  return message.empty() ? Result<void>() : Error{message};
}

Error about(pid_t process, const Error& error) {
  return Error{fmt::format("process {} cannot be recorded: {}", process, error.message)};
}

}  // namespace

Result<AttachEnd> record_process(pid_t process, const runtime::RecordingRequest& request) {
  const Result<HeldProcess> held = HeldProcess::open(process);
  if (!held) return held.error();
  const Result<std::unique_ptr<ControlPage>> opened = ControlPage::open(process);
  if (!opened) return opened.error();
  ControlPage& page = **opened;
  const InterruptGuard guard;
  if (Result<void> idle = wait_until_idle(page, *held); !idle) return about(process, idle.error());
  if (Result<void> set = page.set_request(process, request.text()); !set) return set.error();
  page.change(ControlState::kIdle, ControlState::kAsked);
  const Result<AttachEnd> end = wait_for_end(page, *held, request.limit_s);
  if (!end) return about(process, end.error());
  if (*end == AttachEnd::kProcessEnded) return end;
  if (Result<void> stopped = stop(page, *held); !stopped) return about(process, stopped.error());
  return end;
}

}  // namespace assay::cli
