// Somebody who runs a workload: assay, PoCL, OpenBLAS, a plain copy.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "bench/workload.h"

namespace assay::bench {

// Buffers stay allocated from the making on; data is where the launches use it.
class Contestant {
 public:
  virtual ~Contestant() = default;
  // Makes the buffers hold what the workload starts from.
  virtual Result<void> fill() = 0;
  virtual Result<void> launch() = 0;
  // What the workload's check says about the buffers.
  virtual Result<std::string> check() = 0;
};

// Fills, launches once and checks; an error when the result is wrong.
Result<void> verify(Contestant& contestant);

enum class Clock {
  kWall,
  // Processor time of all threads of the process: steady on a machine that is busy with other
  // things, but blind to waiting.
  kProcessor,
};

// Since some moment that stays the same.
double nanoseconds(Clock clock);

// Nanoseconds per launch; each launch is waited for before the next.
Result<double> time_launches(Contestant& contestant, unsigned launches, Clock clock);

}  // namespace assay::bench
