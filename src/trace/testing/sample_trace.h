// Traces for tests: every table has rows, and what a reader should find in them is known.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "trace/writer.h"

namespace assay::trace::testing {

inline std::vector<std::byte> random_bytes(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(count);
  for (std::byte& each : bytes) each = static_cast<std::byte>(random());
  return bytes;
}

inline ContentRecord content_record(Id id, std::vector<std::byte> bytes) {
  const base::Hash128 hash = base::hash_content(bytes);
  return {id, hash, std::move(bytes)};
}

inline std::vector<std::byte> text_bytes(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

constexpr std::string_view kSource = "kernel void chain(device float* x) { x[0] += 1; }\n";
constexpr int64_t kBufferBytes = 4100;

// What the commands below point to, in the order a recorder tells it.
inline std::vector<Record> shared_records() {
  const std::string options = R"({"math_mode":0,"defines":{},"include_folders":[],"constants":[]})";
  const std::string reflection = R"({"line":1,"arguments":[],"threadgroup_bytes":0})";
  std::vector<Record> records;
  records.emplace_back(FactRecord{"format", "assay trace"});
  records.emplace_back(FactRecord{"detail", "full"});
  records.emplace_back(TextRecord{1, ""});
  records.emplace_back(TextRecord{2, "chain"});
  records.emplace_back(TextRecord{3, "model.py:12"});
  records.emplace_back(content_record(1, text_bytes(kSource)));
  records.emplace_back(content_record(2, random_bytes(kBufferBytes, 1)));
  records.emplace_back(content_record(3, std::vector<std::byte>(kBufferBytes, std::byte{7})));
  records.emplace_back(ProcessRecord{1, 4711, "python3 model.py", -2000});
  records.emplace_back(ThreadRecord{1, 1, "python3"});
  records.emplace_back(SpanRecord{1, SpanKind::kEncode, 600, 950, 2, 3});
  records.emplace_back(SpanRecord{1, SpanKind::kCompile, 100, 900, 2, 0});
  records.emplace_back(MeasurementRecord{"peak_bandwidth", 1.5e10, "bytes/s"});
  records.emplace_back(QueueRecord{1, "stream 0", 1});
  records.emplace_back(KernelRecord{1, "chain", "chain.metal", 1, options, reflection});
  records.emplace_back(CompilationRecord{1, 900, 800, false});
  records.emplace_back(LaunchRecord{1, true, {1025, 1, 1}, {256, 1, 1}});
  records.emplace_back(ArrayRecord{1, "x", "float32", "[1025]", "[1]"});
  records.emplace_back(
      BufferRecord{.id = 1, .label = 1, .bytes = kBufferBytes, .first_content = 2});
  records.emplace_back(BufferRecord{
      .id = 2, .label = 1, .bytes = kBufferBytes, .allocated = 500, .first_content = 3});
  records.emplace_back(MemoryRecord{500, 2 * kBufferBytes, 0});
  records.emplace_back(NoteRecord{1000, std::nullopt, "a note"});
  records.emplace_back(FindingRecord{.id = 1,
                                     .command = 1,
                                     .rule = "bounds-read",
                                     .kernel = "chain",
                                     .file = "chain.metal",
                                     .line = 1,
                                     .character = 3,
                                     .message = "reads element 7 of 'x'",
                                     .fix = "return early",
                                     .site = "model.py:3",
                                     .occurrences = 2});
  return records;
}

// Command `id`, from 1, in a command buffer of its own: a dispatch that reads buffer 1 and changes
// buffer 2, behind the one before.
inline std::vector<Record> command_records(Id id) {
  const int64_t start = 1000 * id;
  std::vector<Record> records;
  records.emplace_back(CommandBufferRecord{.id = id,
                                           .queue = 1,
                                           .label = 1,
                                           .submitted = start - 10,
                                           .completed = start + 700,
                                           .thread = 1});
  CommandRecord command{.id = id,
                        .command_buffer = id,
                        .started = start,
                        .ended = start + 600 + id % 7,
                        .label = 2,
                        .site = 3,
                        .kernel = 1,
                        .launch = 1,
                        .role = CommandRole::kElementwise,
                        .bytes_read = kBufferBytes,
                        .bytes_written = kBufferBytes};
  command.bindings.push_back(
      {.slot = 0, .access = kReads, .buffer = 1, .range_end = kBufferBytes, .array = 1});
  command.bindings.push_back({.slot = 1,
                              .access = kReads | kWrites,
                              .buffer = 2,
                              .range_end = kBufferBytes,
                              .array = 1,
                              .result = base::Hash128{1, 2}});
  command.bindings.push_back({.slot = 2, .kind = BindingKind::kBytes, .bytes = 4, .content = 3});
  records.emplace_back(std::move(command));
  if (id > 1)
    records.emplace_back(DependencyRecord{id, id - 1, DependencyKind::kReadAfterWrite, 2});
  return records;
}

// A finished document.
inline Result<void> write_sample(const std::string& path, int64_t commands,
                                 WriterOptions options = {}) {
  Result<std::unique_ptr<Writer>> writer = Writer::create(path, options);
  if (!writer) return writer.error();
  (*writer)->add(shared_records());
  for (Id id = 1; id <= commands; ++id) (*writer)->add(command_records(id));
  (*writer)->add(FactRecord{"ended", "123456"});
  return (*writer)->finish();
}

}  // namespace assay::trace::testing
