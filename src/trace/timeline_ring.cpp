// See timeline_ring.h.
#include "trace/timeline_ring.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::trace {

void TimelineRing::note(const std::vector<Record>& records) {
  for (const Record& record : records) {
    if (const auto* command = std::get_if<CommandRecord>(&record)) {
      newest_ = std::max(newest_, command->ended);
    } else if (const auto* span = std::get_if<SpanRecord>(&record)) {
      newest_ = std::max(newest_, span->ended);
    }
  }
}

Result<void> TimelineRing::cut(Database& database, int64_t keep_ns) {
  // A quarter more than asked for may be there: cutting looks at every row.
  if (newest_ - keep_ns - kept_from_ < keep_ns / 4) return {};
  return cut_now(database, keep_ns);
}

Result<void> TimelineRing::cut_now(Database& database, int64_t keep_ns) {
  const int64_t from = newest_ - keep_ns;
  if (from <= kept_from_) return {};
  kept_from_ = from;
  // Commands are numbered in the order they end: what needs an earlier one goes with it.
  return database.execute(fmt::format(
      "DELETE FROM commands WHERE ended < {0}; "
      "DELETE FROM dependencies WHERE needs < (SELECT coalesce(min(id), 1 << 62) FROM commands); "
      "DELETE FROM bindings WHERE command < (SELECT coalesce(min(id), 1 << 62) FROM commands); "
      "DELETE FROM command_buffers WHERE completed < {0} AND id NOT IN (SELECT command_buffer FROM "
      "commands); "
      "DELETE FROM spans WHERE ended < {0}; "
      "DELETE FROM memory WHERE at < {0}; "
      "DELETE FROM compilations WHERE ended < {0}; "
      "INSERT OR REPLACE INTO facts VALUES ('kept_from', '{0}')",
      from));
}

}  // namespace assay::trace
