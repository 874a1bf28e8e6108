// What a replay found out, as plain data for whoever prints it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "replay/compare_elements.h"
#include "replay/trace_tables.h"
#include "trace/records.h"

namespace assay::replay {

// How the results of a command compare with the captured ones, from good to bad.
enum class Outcome : uint8_t {
  kVerified,         // every bit
  kWithinTolerance,  // not deterministic, and close enough
  kNotComparable,    // not deterministic, and the captured contents are not in the document
  kFollows,          // differs, and so did what it read
  kDiffers,
  kFailed,  // it did not run to its end, and in the capture it did
};
inline constexpr size_t kOutcomes = 6;

// A command in the words of the capture.
struct CommandName {
  Id id = 0;
  trace::CommandKind kind = trace::CommandKind::kDispatch;
  std::string name;   // of the kernel, or what else it does
  std::string label;  // of the operation; may be empty
  std::string site;   // file:line; may be empty
  std::string queue;
};

// The first element that differs.
struct Place {
  Comparison comparison;
  int64_t index = 0;  // elements behind the first place of the array, or of the range
  std::optional<std::vector<int64_t>> coordinates = {};
};

struct Difference {
  CommandName command;
  Outcome outcome = Outcome::kDiffers;
  uint32_t slot = 0;
  std::string argument = {};  // its name in the kernel; may be empty
  Id buffer = 0;
  std::string buffer_label = {};
  int64_t range_begin = 0, range_end = 0;  // bytes of the buffer that were compared
  std::string dtype = {};
  std::optional<ArrayRow> array = {};
  std::optional<Place> place = {};  // nothing where the captured contents are not in the document
  bool repeats = true;              // run again it gave the same
  std::string error = {};           // of a command that failed
};

// Commands whose results need not repeat bit for bit, by kernel.
struct ToleratedKernel {
  std::string name;
  std::string reason;
  uint64_t commands = 0;
  uint64_t max_ulps = 0;
};

struct KernelTime {
  std::string name;
  uint64_t commands = 0;
  double captured_ns = 0;  // median of the commands
  double replayed_ns = 0;  // median of the commands, each the median of its runs
  uint64_t bytes = 0;      // read and written, of all commands
  double total_ns = 0;     // replayed, of all commands
};

struct Report {
  uint64_t commands = 0;  // without waits and signals
  uint64_t kernels = 0;
  uint64_t buffers = 0;
  uint64_t peak_bytes = 0;
  uint64_t earlier = 0;  // commands before the range that were run for their results
  std::array<uint64_t, kOutcomes> outcomes = {};
  std::vector<Difference> differences = {};  // the first ones; outcomes counts all
  std::vector<ToleratedKernel> tolerated = {};
  std::vector<KernelTime> times = {};  // the longest first
  std::vector<std::string> notes = {};
  std::string device = {};
  std::string captured_device = {};

  uint64_t count(Outcome outcome) const { return outcomes[static_cast<size_t>(outcome)]; }
  uint64_t verified() const { return count(Outcome::kVerified) + count(Outcome::kWithinTolerance); }
  bool has_differences() const {
    return count(Outcome::kDiffers) + count(Outcome::kFailed) + count(Outcome::kFollows) > 0;
  }
};

}  // namespace assay::replay
