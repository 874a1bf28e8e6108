// Processor time of the calling thread, as a clock for <chrono>. Limits in it mean the same on a
// busy machine as on an idle one. Points in time of different threads cannot be compared.
#pragma once

#include <chrono>
#include <ctime>

namespace assay::base {

struct ThreadCpuClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<ThreadCpuClock>;
  static constexpr bool is_steady = true;

  static time_point now() noexcept {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
  }

  // `seconds` from now, or the end of time where that is sooner.
  static time_point after(double seconds) {
    constexpr double kMaxSeconds = 1e9;  // keeps the sum within the clock's range
    std::chrono::duration<double> wait(seconds < kMaxSeconds ? seconds : kMaxSeconds);
    return now() + std::chrono::duration_cast<duration>(wait);
  }
};

}  // namespace assay::base
