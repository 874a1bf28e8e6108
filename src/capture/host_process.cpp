// See host_process.h.
#include "capture/host_process.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <sstream>

#include "device/clock.h"

namespace assay::capture {
namespace {

std::string read_text(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// When the process began, in ticks since the machine was started; 0 where that is not known.
uint64_t start_ticks() {
  const std::string text = read_text("/proc/self/stat");
  // The second field is the name in brackets, which may hold anything; the 22nd is what we want.
  size_t at = text.rfind(')');
  if (at == std::string::npos) return 0;
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = text.find(' ', at + 1);
  if (at == std::string::npos) return 0;
  uint64_t ticks = 0;
  std::from_chars(text.data() + at + 1, text.data() + text.size(), ticks);
  return ticks;
}

uint64_t clock_ns(clockid_t clock) {
  timespec time = {};
  ::clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace

int64_t process_number() { return ::getpid(); }

std::string command_line() {
  std::string line = read_text("/proc/self/cmdline");
  while (!line.empty() && line.back() == '\0') line.pop_back();
  std::ranges::replace(line, '\0', ' ');
  return line;
}

uint64_t process_start_ns() {
  const uint64_t ticks = start_ticks();
  const auto ticks_in_second = static_cast<uint64_t>(::sysconf(_SC_CLK_TCK));
  const uint64_t now = device::now_ns();
  if (ticks == 0 || ticks_in_second == 0) return now;
  // Ticks count also while the machine sleeps, the steady clock does not.
  const uint64_t boot_now = clock_ns(CLOCK_BOOTTIME);
  const uint64_t started = ticks * (1'000'000'000 / ticks_in_second);
  const uint64_t age = boot_now > started ? boot_now - started : 0;
  return now - std::min(age, now);
}

int64_t thread_number() {
  thread_local const int64_t number = ::gettid();
  return number;
}

std::string thread_name() {
  std::array<char, 64> name = {};
  if (::pthread_getname_np(::pthread_self(), name.data(), name.size()) != 0) return {};
  return name.data();
}

}  // namespace assay::capture
