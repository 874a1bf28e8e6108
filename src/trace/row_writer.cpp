// See row_writer.h.
#include "trace/row_writer.h"

#include <algorithm>
#include <array>

#include "trace/content_encoding.h"
#include "trace/stored_hash.h"

namespace assay::trace {

Result<RowWriter> RowWriter::create(Database& database, uint64_t max_row_bytes) {
  // In the order of Table. Rows that are written again replace what was there.
  constexpr const char* kStatements[] = {
      "INSERT OR REPLACE INTO facts VALUES (?,?)",
      "INSERT INTO texts VALUES (?,?)",
      "INSERT INTO contents VALUES (?,?,?,?,?)",
      "INSERT INTO content_parts VALUES (?,?,?)",
      "INSERT INTO processes VALUES (?,?,?,?)",
      "INSERT INTO threads VALUES (?,?,?)",
      "INSERT INTO spans VALUES (NULL,?,?,?,?,?,?)",
      "INSERT OR REPLACE INTO measurements VALUES (?,?,?)",
      "INSERT OR REPLACE INTO queues VALUES (?,?,?)",
      "INSERT INTO kernels VALUES (?,?,?,?,?,?)",
      "INSERT INTO compilations VALUES (NULL,?,?,?,?)",
      "INSERT OR REPLACE INTO buffers VALUES (?,?,?,?,?,?,?,?)",
      "INSERT OR REPLACE INTO command_buffers VALUES (?,?,?,?,?,?,?)",
      "INSERT INTO commands VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
      "INSERT INTO launches VALUES (?,?,?,?,?,?,?,?)",
      "INSERT INTO arrays VALUES (?,?,?,?,?)",
      "INSERT INTO bindings VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
      "INSERT OR IGNORE INTO dependencies VALUES (?,?,?,?)",
      "INSERT INTO memory VALUES (NULL,?,?,?)",
      "INSERT INTO notes VALUES (NULL,?,?,?)",
      "INSERT OR REPLACE INTO findings VALUES (?,?,?,?,?,?,?,?,?,?,?,?)"};
  static_assert(std::size(kStatements) == kTableCount);
  RowWriter writer;
  writer.max_row_bytes_ = max_row_bytes;
  for (const char* sql : kStatements) {
    Result<Statement> statement = database.prepare(sql);
    if (!statement) return statement.error();
    writer.statements_.push_back(std::move(*statement));
  }
  return writer;
}

Result<void> RowWriter::write(const Record& record) {
  return std::visit([this](const auto& each) { return row(each); }, record);
}

Result<void> RowWriter::row(const FactRecord& fact) {
  return statements_[kFacts].bind(fact.name).bind(fact.value).run();
}

Result<void> RowWriter::row(const TextRecord& text) {
  return statements_[kTexts].bind(text.id).bind(text.text).run();
}

Result<void> RowWriter::row(const ContentRecord& content) {
  const EncodedContent encoded = encode_content(content.bytes);
  const StoredHash hash = store_hash(content.hash);
  std::span<const std::byte> rest(encoded.data);
  auto take_piece = [&] {
    const auto piece = rest.first(std::min<size_t>(rest.size(), max_row_bytes_));
    rest = rest.subspan(piece.size());
    return piece;
  };
  Result<void> written = statements_[kContents]
                             .bind(content.id)
                             .bind(std::span<const std::byte>(hash))
                             .bind(uint64_t{content.bytes.size()})
                             .bind(static_cast<int>(encoded.encoding))
                             .bind(take_piece())
                             .run();
  for (int part = 1; written && !rest.empty(); ++part) {
    written = statements_[kContentParts].bind(content.id).bind(part).bind(take_piece()).run();
  }
  return written;
}

Result<void> RowWriter::row(const ProcessRecord& process) {
  return statements_[kProcesses]
      .bind(process.id)
      .bind(process.pid)
      .bind(process.command_line)
      .bind(process.started)
      .run();
}

Result<void> RowWriter::row(const ThreadRecord& thread) {
  return statements_[kThreads].bind(thread.id).bind(thread.process).bind(thread.name).run();
}

Result<void> RowWriter::row(const SpanRecord& span) {
  return statements_[kSpans]
      .bind(span.thread)
      .bind(static_cast<int>(span.kind))
      .bind(span.started)
      .bind(span.ended)
      .bind(span.label)
      .bind(span.site)
      .run();
}

Result<void> RowWriter::row(const MeasurementRecord& measurement) {
  return statements_[kMeasurements]
      .bind(measurement.name)
      .bind(measurement.value)
      .bind(measurement.unit)
      .run();
}

Result<void> RowWriter::row(const QueueRecord& queue) {
  return statements_[kQueues].bind(queue.id).bind(queue.label).bind(queue.process).run();
}

Result<void> RowWriter::row(const KernelRecord& kernel) {
  return statements_[kKernels]
      .bind(kernel.id)
      .bind(kernel.name)
      .bind(kernel.file)
      .bind(kernel.source)
      .bind(kernel.options)
      .bind(kernel.reflection)
      .run();
}

Result<void> RowWriter::row(const CompilationRecord& compilation) {
  return statements_[kCompilations]
      .bind(compilation.kernel)
      .bind(compilation.ended)
      .bind(compilation.duration)
      .bind(int{compilation.is_from_cache})
      .run();
}

Result<void> RowWriter::row(const BufferRecord& buffer) {
  return statements_[kBuffers]
      .bind(buffer.id)
      .bind(buffer.label)
      .bind(buffer.bytes)
      .bind(buffer.allocated)
      .bind(buffer.freed)
      .bind(buffer.first_content)
      .bind(buffer.last_content)
      .bind(buffer.last_writer)
      .run();
}

Result<void> RowWriter::row(const CommandBufferRecord& buffer) {
  return statements_[kCommandBuffers]
      .bind(buffer.id)
      .bind(buffer.queue)
      .bind(buffer.label)
      .bind(buffer.submitted)
      .bind(buffer.completed)
      .bind(buffer.error)
      .bind(buffer.thread)
      .run();
}

Result<void> RowWriter::row(const CommandRecord& command) {
  Result<void> written = statements_[kCommands]
                             .bind(command.id)
                             .bind(command.command_buffer)
                             .bind(command.position)
                             .bind(static_cast<int>(command.kind))
                             .bind(command.started)
                             .bind(command.ended)
                             .bind(command.label)
                             .bind(command.site)
                             .bind(command.kernel)
                             .bind(command.launch)
                             .bind(command.value)
                             .bind(command.event)
                             .bind(command.product)
                             .bind(command.error)
                             .bind(static_cast<int>(command.role))
                             .bind(command.bytes_read)
                             .bind(command.bytes_written)
                             .run();
  return written ? bindings(command) : written;
}

Result<void> RowWriter::bindings(const CommandRecord& command) {
  for (const BindingRecord& binding : command.bindings) {
    Statement& statement = statements_[kBindings];
    statement.bind(command.id)
        .bind(binding.slot)
        .bind(static_cast<int>(binding.kind))
        .bind(int{binding.access})
        .bind(binding.buffer)
        .bind(binding.start)
        .bind(binding.bytes)
        .bind(binding.range_begin)
        .bind(binding.range_end)
        .bind(binding.content)
        .bind(binding.array);
    if (binding.result) {
      const StoredHash hash = store_hash(*binding.result);
      statement.bind(std::span<const std::byte>(hash));
    } else {
      statement.bind_null();
    }
    if (Result<void> written = statement.run(); !written) return written;
  }
  return {};
}

Result<void> RowWriter::row(const LaunchRecord& launch) {
  Statement& statement = statements_[kLaunches];
  statement.bind(launch.id).bind(int{launch.counts_threads});
  for (uint32_t size : launch.grid) statement.bind(size);
  for (uint32_t size : launch.group) statement.bind(size);
  return statement.run();
}

Result<void> RowWriter::row(const ArrayRecord& array) {
  return statements_[kArrays]
      .bind(array.id)
      .bind(array.name)
      .bind(array.dtype)
      .bind(array.shape)
      .bind(array.strides)
      .run();
}

Result<void> RowWriter::row(const DependencyRecord& dependency) {
  return statements_[kDependencies]
      .bind(dependency.command)
      .bind(dependency.needs)
      .bind(static_cast<int>(dependency.kind))
      .bind(dependency.buffer)
      .run();
}

Result<void> RowWriter::row(const MemoryRecord& memory) {
  return statements_[kMemory].bind(memory.at).bind(memory.active).bind(memory.cached).run();
}

Result<void> RowWriter::row(const NoteRecord& note) {
  return statements_[kNotes].bind(note.at).bind(note.command).bind(note.text).run();
}

Result<void> RowWriter::row(const FindingRecord& finding) {
  return statements_[kFindings]
      .bind(finding.id)
      .bind(finding.command)
      .bind(finding.rule)
      .bind(static_cast<int>(finding.severity))
      .bind(finding.kernel)
      .bind(finding.file)
      .bind(finding.line)
      .bind(finding.character)
      .bind(finding.message)
      .bind(finding.fix)
      .bind(finding.site)
      .bind(finding.occurrences)
      .run();
}

}  // namespace assay::trace
