// The rows of a trace as plain structs, one for each table of schema.sql, where their fields are
// explained. Times count from the beginning of the capture.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/hash.h"

namespace assay::trace {

using Id = int64_t;  // of a row; 0 stands for none

struct FactRecord {
  std::string name = {};
  std::string value = {};
};

struct TextRecord {
  Id id = 0;
  std::string text = {};
};

struct ContentRecord {
  Id id = 0;
  base::Hash128 hash = {};
  std::vector<std::byte> bytes = {};
};

struct ProcessRecord {
  Id id = 0;
  int64_t pid = 0;
  std::string command_line = {};
  int64_t started = 0;
};

struct ThreadRecord {
  Id id = 0;
  Id process = 0;
  std::string name = {};
};

enum class SpanKind : uint8_t { kBuild, kEncode, kCompile, kWait, kRead, kStart, kMakeKernel };

struct SpanRecord {
  Id thread = 0;
  SpanKind kind = SpanKind::kBuild;
  int64_t started = 0;
  int64_t ended = 0;
  Id label = 0;
  Id site = 0;
};

struct MeasurementRecord {
  std::string name = {};
  double value = 0;
  std::string unit = {};
};

struct QueueRecord {
  Id id = 0;
  std::string label = {};
  Id process = 0;
};

struct KernelRecord {
  Id id = 0;
  std::string name = {};
  std::string file = {};
  std::optional<Id> source = {};
  std::string options = {};
  std::string reflection = {};
};

struct CompilationRecord {
  Id kernel = 0;
  int64_t ended = 0;
  int64_t duration = 0;
  bool is_from_cache = false;
};

// Written again when something of it becomes known: the last one counts.
struct BufferRecord {
  Id id = 0;
  Id label = 0;
  int64_t bytes = 0;
  std::optional<int64_t> allocated = {};
  std::optional<int64_t> freed = {};
  std::optional<Id> first_content = {};
  std::optional<Id> last_content = {};
  std::optional<Id> last_writer = {};
};

// Written at submission and again at completion.
struct CommandBufferRecord {
  Id id = 0;
  Id queue = 0;
  Id label = 0;
  int64_t submitted = 0;
  std::optional<int64_t> completed = {};
  std::optional<std::string> error = {};
  Id thread = 0;
};

enum class CommandKind : uint8_t { kDispatch, kFill, kCopy, kMatrixProduct, kWait, kSignal };
enum class BindingKind : uint8_t { kBuffer, kBytes, kThreadgroupMemory };
enum class CommandRole : uint8_t { kUnknown, kElementwise, kOperation, kCustom, kForcedCopy };
constexpr uint8_t kReads = 1;
constexpr uint8_t kWrites = 2;

struct BindingRecord {
  uint32_t slot = 0;
  BindingKind kind = BindingKind::kBuffer;
  uint8_t access = 0;  // kReads, kWrites
  std::optional<Id> buffer = {};
  int64_t start = 0;
  int64_t bytes = 0;
  int64_t range_begin = 0;
  int64_t range_end = 0;
  std::optional<Id> content = {};
  std::optional<Id> array = {};
  std::optional<base::Hash128> result = {};
};

struct CommandRecord {
  Id id = 0;
  Id command_buffer = 0;
  uint32_t position = 0;
  CommandKind kind = CommandKind::kDispatch;
  int64_t started = 0;
  int64_t ended = 0;
  Id label = 0;
  Id site = 0;
  std::optional<Id> kernel = {};
  std::optional<Id> launch = {};
  std::optional<int64_t> value = {};
  std::optional<Id> event = {};
  std::optional<Id> product = {};
  std::optional<std::string> error = {};
  CommandRole role = CommandRole::kUnknown;
  std::optional<int64_t> bytes_read = {};
  std::optional<int64_t> bytes_written = {};
  std::vector<BindingRecord> bindings = {};
};

struct LaunchRecord {
  Id id = 0;
  bool counts_threads = true;
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> group = {1, 1, 1};
};

struct ArrayRecord {
  Id id = 0;
  std::string name = {};
  std::string dtype = {};
  std::string shape = {};    // JSON
  std::string strides = {};  // JSON
};

enum class DependencyKind : uint8_t { kReadAfterWrite, kWriteAfterRead, kWriteAfterWrite, kEvent };

struct DependencyRecord {
  Id command = 0;
  Id needs = 0;
  DependencyKind kind = DependencyKind::kReadAfterWrite;
  Id buffer = 0;
};

struct MemoryRecord {
  int64_t at = 0;
  int64_t active = 0;
  int64_t cached = 0;
};

struct NoteRecord {
  int64_t at = 0;
  std::optional<Id> command = {};
  std::string text = {};
};

enum class FindingSeverity : uint8_t { kNote, kWarning, kError };

// Written again when it has happened more often: the last one counts.
struct FindingRecord {
  Id id = 0;
  std::optional<Id> command = {};
  std::string rule = {};
  FindingSeverity severity = FindingSeverity::kError;
  std::string kernel = {};
  std::string file = {};
  int64_t line = 0;
  int64_t character = 0;
  std::string message = {};
  std::string fix = {};
  std::string site = {};
  int64_t occurrences = 1;
};

using Record =
    std::variant<CommandRecord, DependencyRecord, MemoryRecord, BufferRecord, CommandBufferRecord,
                 SpanRecord, TextRecord, ContentRecord, ArrayRecord, LaunchRecord, KernelRecord,
                 CompilationRecord, QueueRecord, ThreadRecord, ProcessRecord, MeasurementRecord,
                 NoteRecord, FindingRecord, FactRecord>;

}  // namespace assay::trace
