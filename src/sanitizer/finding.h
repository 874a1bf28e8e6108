// What a check has found, ready to be told: plain data, made by checks, read by reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::sanitizer {

// What a user turns on and off.
enum class Check : uint8_t {
  kBounds,         // accesses outside a buffer, array view, threadgroup or thread array
  kRaces,          // unordered accesses of two threads, one of them a write
  kUninitialised,  // reads of memory that nobody wrote
  kUnwritten,      // elements of an output that no thread wrote
  kBarriers,       // barriers that not all threads of a threadgroup reach
  kAlignment,      // vector accesses at addresses that are no multiple of their size
  kArithmetic,     // integer division by zero, shifts by more than the width
  kWrap,           // index arithmetic that wraps around
  kNotFinite,      // operations that make Inf out of finite numbers or NaN out of any, and store it
  kOrdering,       // dispatches on one buffer that nothing orders
};
inline constexpr int kCheckCount = 10;

enum class Severity : uint8_t { kNote, kWarning, kError };

// A place in a file of the program whose text has a kernel's source in it.
struct ProgramPlace {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
};

// A place in MSL source. Lines and columns count from 1; 0 where unknown.
struct SourcePlace {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  std::string text = {};  // of the whole line; empty where the source is not at hand
  std::optional<ProgramPlace> written = {};  // where that is, if the source has no file of its own
};

// One thread of a dispatch, x y z.
struct ThreadPlace {
  uint32_t threadgroup[3] = {};
  uint32_t thread[3] = {};  // in its threadgroup
  uint32_t grid[3] = {};    // position in the grid
};

// Where in memory it happened.
struct MemoryPlace {
  std::string space;             // "device", "constant", "threadgroup", "thread"
  std::string name;              // the kernel's argument or variable
  std::string array;             // what the caller calls it; may be empty
  std::string type;              // of an element, "float32"; empty when unknown
  uint64_t element_bytes = 0;    // 0 when unknown
  int64_t offset = 0;            // bytes from the start of the object; negative before it
  uint64_t bytes = 0;            // of the access
  uint64_t object_bytes = 0;     // of the object
  std::vector<int64_t> shape;    // of the array; empty when unknown
  std::vector<int64_t> strides;  // in elements

  int64_t index() const {
    // Findings come from files, too: anything may stand there.
    if (element_bytes == 0 || element_bytes > INT64_MAX) return offset;
    const auto size = static_cast<int64_t>(element_bytes);
    return offset / size - (offset % size < 0 ? 1 : 0);
  }
};

// Another place that explains the first: the other access of a race, the caller of an inlined
// function, the op that made a NaN.
struct RelatedPlace {
  std::string message;  // "read here by thread 3 of the same threadgroup"
  SourcePlace place;
  std::optional<ThreadPlace> thread = {};
};

struct Finding {
  std::string rule;  // one of rules(), "bounds-read"
  Severity severity = Severity::kError;
  std::string kernel;   // name of the kernel function
  std::string label;    // of the dispatch: op or user's label; may be empty
  std::string message;  // one line, without place: "reads 4 bytes behind the end of 'input' …"
  SourcePlace place;
  std::vector<RelatedPlace> related = {};
  std::optional<ThreadPlace> thread = {};
  std::optional<MemoryPlace> memory = {};
  std::string call_site;     // "script.py:12 in main"; may be empty
  std::string fix;           // one line: what to change
  uint64_t occurrences = 1;  // folded: accesses of the same kind at the same place
  uint64_t command = 0;      // number of the dispatch in the run, from 1; 0: unknown
};

// One kind of finding: what SARIF, suppressions and --fail-on call it.
struct Rule {
  std::string_view id;
  Check check;
  Severity severity;
  std::string_view title;  // "Read outside of a buffer"
  std::string_view help;   // a sentence or two on why it matters and how it is fixed
};

}  // namespace assay::sanitizer
