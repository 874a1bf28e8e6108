// One prepared INSERT for each table.
#pragma once

#include <vector>

#include "base/result.h"
#include "trace/database.h"
#include "trace/records.h"

namespace assay::trace {

// Used by one thread; the database must stay where it is.
class RowWriter {
 public:
  RowWriter() = default;  // writes nothing
  // Contents that take more than `max_row_bytes` in the file are cut into pieces.
  static Result<RowWriter> create(Database& database, uint64_t max_row_bytes);

  Result<void> write(const Record& record);

 private:
  enum Table : size_t {
    kFacts,
    kTexts,
    kContents,
    kContentParts,
    kProcesses,
    kThreads,
    kSpans,
    kMeasurements,
    kQueues,
    kKernels,
    kCompilations,
    kBuffers,
    kCommandBuffers,
    kCommands,
    kLaunches,
    kArrays,
    kBindings,
    kDependencies,
    kMemory,
    kNotes,
    kFindings,
    kTableCount
  };

  Result<void> row(const FactRecord& fact);
  Result<void> row(const TextRecord& text);
  Result<void> row(const ContentRecord& content);
  Result<void> row(const ProcessRecord& process);
  Result<void> row(const ThreadRecord& thread);
  Result<void> row(const SpanRecord& span);
  Result<void> row(const MeasurementRecord& measurement);
  Result<void> row(const QueueRecord& queue);
  Result<void> row(const KernelRecord& kernel);
  Result<void> row(const CompilationRecord& compilation);
  Result<void> row(const BufferRecord& buffer);
  Result<void> row(const CommandBufferRecord& buffer);
  Result<void> row(const CommandRecord& command);
  Result<void> row(const LaunchRecord& launch);
  Result<void> row(const ArrayRecord& array);
  Result<void> row(const DependencyRecord& dependency);
  Result<void> row(const MemoryRecord& memory);
  Result<void> row(const NoteRecord& note);
  Result<void> row(const FindingRecord& finding);
  Result<void> bindings(const CommandRecord& command);

  std::vector<Statement> statements_;  // by Table
  uint64_t max_row_bytes_ = 0;
};

}  // namespace assay::trace
