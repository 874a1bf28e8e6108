// Short busy waits: handing work to a thread that spins takes a fraction of a microsecond, waking a
// sleeping one takes several.
#pragma once

#include <chrono>
#include <thread>

namespace assay::device {

inline void spin_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Spins until `condition()` or the time is over; the last value of the condition. Gives up at once
// on a machine with one core, where nobody else could make progress meanwhile.
template <typename Condition>
bool spin_until(const Condition& condition, std::chrono::nanoseconds limit) {
  static const bool alone = std::thread::hardware_concurrency() == 1;
  if (alone) return condition();
  const auto end = std::chrono::steady_clock::now() + limit;
  do {
    for (int round = 0; round < 32; ++round) {
      if (condition()) return true;
      spin_pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return condition();
}

}  // namespace assay::device
