// Which bytes of which buffers do not hold what they held in the capture, and why.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "replay/trace_tables.h"

namespace assay::replay {

class InexactRanges {
 public:
  enum class Reason : uint8_t {
    kNotDeterministic,  // no two runs give the same: nothing is wrong
    kDiffers,
  };
  struct Range {
    Id buffer = 0;
    int64_t begin = 0, end = 0;  // bytes
  };
  struct Cause {
    Reason reason = Reason::kDiffers;
    Id command = 0;  // the first one that left something else
  };

  void add(const Range& range, const Cause& cause);
  // The bytes are as they were in the capture.
  void clear(const Range& range);
  // The worst cause of bytes in the range; nothing when all are as they were.
  std::optional<Cause> find(const Range& range) const;

 private:
  struct Part {
    int64_t begin = 0, end = 0;
    Cause cause;
  };
  std::unordered_map<Id, std::vector<Part>> parts_;  // by buffer; they do not overlap
};

}  // namespace assay::replay
