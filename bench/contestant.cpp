// See contestant.h.
#include "bench/contestant.h"

#include <time.h>

namespace assay::bench {

double nanoseconds(Clock clock) {
  timespec now = {};
  clock_gettime(clock == Clock::kWall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

Result<void> verify(Contestant& contestant) {
  if (Result<void> filled = contestant.fill(); !filled) return filled;
  if (Result<void> launched = contestant.launch(); !launched) return launched;
  Result<std::string> difference = contestant.check();
  if (!difference) return difference.error();
  if (!difference->empty()) return Error{"wrong result: " + *difference};
  return {};
}

Result<double> time_launches(Contestant& contestant, unsigned launches, Clock clock) {
  const double start = nanoseconds(clock);
  for (unsigned i = 0; i < launches; ++i)
    if (Result<void> launched = contestant.launch(); !launched) return launched.error();
  return (nanoseconds(clock) - start) / launches;
}

}  // namespace assay::bench
