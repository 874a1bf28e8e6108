// The rows of a trace that the report's rules look at, in memory and cleaned: times in order, ids
// that exist.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/report/report.h"
#include "trace/document.h"

namespace assay::analysis {

// Work of the device: no waits, no signals.
struct TimedCommand {
  trace::Id id = 0;
  trace::Id command_buffer = 0;
  int64_t evaluation = 0;  // a number of its own for each
  TimeRange time = {};
  trace::CommandKind kind = trace::CommandKind::kDispatch;
  trace::CommandRole role = trace::CommandRole::kUnknown;
  trace::Id kernel = 0;
  trace::Id label = 0, site = 0;  // texts
  int64_t bytes_read = 0, bytes_written = 0;
  int64_t threads = 0;  // of the launch; 0 where it has none

  int64_t bytes() const { return bytes_read + bytes_written; }
};

struct TimedSpan {
  trace::Id thread = 0;
  trace::SpanKind kind = trace::SpanKind::kBuild;
  TimeRange time = {};
  trace::Id label = 0, site = 0;
};

struct MemoryPoint {
  int64_t at = 0;
  int64_t active = 0;
  int64_t cached = 0;
};

struct Timeline {
  std::vector<TimedCommand> commands;  // in the order they began
  std::vector<TimedSpan> spans;        // in the order they began
  // What reads what another command wrote, by command.
  std::unordered_map<trace::Id, std::vector<trace::Id>> reads_from;
  std::vector<MemoryPoint> memory;
  std::unordered_map<trace::Id, std::string> texts;
  std::unordered_map<trace::Id, std::string> kernels;  // names
  std::map<std::string, double> measurements;
  std::optional<int64_t> ended;  // when the capture did
  int64_t kept_from = 0;         // earlier times are not in the document
  int64_t device_memory_bytes = 0;

  std::string text(trace::Id id) const;
  // "sin", or "[copy]".
  std::string name_of(const TimedCommand& command) const;
  std::optional<double> measurement(const std::string& name) const;
};

Result<Timeline> load_timeline(const trace::Document& document);

}  // namespace assay::analysis
