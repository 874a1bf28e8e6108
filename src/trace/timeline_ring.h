// Keeps only the last seconds of a timeline while it is written.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "trace/database.h"
#include "trace/records.h"

namespace assay::trace {

// Used by one thread.
class TimelineRing {
 public:
  // Remembers the newest time of the records.
  void note(const std::vector<Record>& records);
  // Removes rows that ended `keep_ns` before the newest, once it is worth it. SQLite uses the room
  // again. Notes in the fact `kept_from` from when on the document is complete.
  Result<void> cut(Database& database, int64_t keep_ns);
  Result<void> cut_now(Database& database, int64_t keep_ns);

 private:
  int64_t newest_ = 0;
  int64_t kept_from_ = 0;
};

}  // namespace assay::trace
