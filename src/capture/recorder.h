// Listens to a device and writes what it hears into a trace document.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "capture/command_order.h"
#include "capture/intern.h"
#include "device/device.h"
#include "trace/writer.h"

namespace assay::capture {

enum class Detail : uint8_t {
  kTimeline,  // commands and their times
  kSkeleton,  // also what they use, dependencies, sources: everything but contents
  kFull,      // also contents: the trace can be replayed
};

struct RecorderOptions {
  Detail detail = Detail::kFull;
  std::string queue_label;  // only this queue; empty: all
  std::string name;         // only commands whose kernel or label contains this; empty: all
  // Where times count from, of the steady clock; 0: when the recorder is made.
  uint64_t start_ns = 0;
  // The program has just been started: the time up to its first commands is one span.
  bool is_whole_program = false;
};

struct RecorderCounts {
  uint64_t command_buffers = 0;
  uint64_t commands = 0;
  uint64_t left_out = 0;  // commands that the options exclude
};

// Thread-safe, as observers have to be. A command buffer is recorded if and only if it is submitted
// between the first callback and close().
class Recorder final : public device::Observer {
 public:
  // The writer must outlive close(); the device, the recorder.
  Recorder(trace::Writer& writer, const device::Device& device, RecorderOptions options);

  // What a check of kernels found, on the thread that runs the command. The id and the command are
  // the recorder's; equal findings are one.
  void add_finding(trace::FindingRecord finding);

  // Takes nothing new, waits until what was submitted is complete, and adds the last contents.
  RecorderCounts close();
  // Nanoseconds since the capture began.
  int64_t now() const;

  device::Interest interest() const override {
    return options_.detail == Detail::kTimeline ? device::Interest::kTimes
                                                : device::Interest::kEverything;
  }
  void on_allocate(const kernel::BufferDescription& buffer) override;
  void on_free(const kernel::BufferDescription& buffer) override;
  void on_kernel_loaded(const kernel::LoadDescription& load) override;
  void on_queue_created(const kernel::QueueDescription& queue) override;
  void on_host_span(const kernel::HostSpanDescription& span) override;
  void on_submit(const kernel::SubmitDescription& submit) override;
  void on_command_begin(const kernel::CommandDescription& command) override;
  void on_command_end(const kernel::CommandDescription& command, const kernel::DispatchTimes& times,
                      std::string_view error) override;
  void on_complete(const kernel::SubmitDescription& submit, std::string_view error) override;

 private:
  // What is known of a device's buffer.
  struct BufferState {
    trace::BufferRecord record;
    std::span<const std::byte> contents;  // valid until it is freed
    bool is_used = false;                 // a recorded command has begun to use it
  };

  bool is_full() const { return options_.detail == Detail::kFull; }
  bool is_recorded(const kernel::CommandDescription& command);
  bool is_included(const kernel::CommandDescription& command) const;
  int64_t since_start(uint64_t steady_ns) const;

  // All below: with the lock held.
  BufferState& buffer_state(const kernel::BindingDescription& binding);
  trace::Id store_content(std::span<const std::byte> bytes, const base::Hash128& hash);
  // Notes the contents behind the last command that wrote the buffer, and forgets the buffer: if it
  // is used again, that is another buffer of the trace.
  void retire(uint64_t buffer_id, bool is_freed);
  void add_kernel(const kernel::CommandDescription& command);
  trace::CommandRecord make_record(const kernel::CommandDescription& command,
                                   const kernel::DispatchTimes& times, std::string_view error);
  void add_bindings(const kernel::CommandDescription& command, trace::CommandRecord& record);
  // The thread that calls.
  trace::Id thread();
  void add_queue(uint64_t id, std::string_view label);
  void add_start_span(trace::Id thread, int64_t submitted);
  void remember(const kernel::CommandDescription& command, trace::Id id);
  std::vector<trace::Id>& places_of(uint64_t command_buffer_id);
  trace::Id find_command(const kernel::CommandPlace& place) const;  // 0: nobody knows
  void add_order(const kernel::CommandDescription& command, const trace::CommandRecord& record);
  void note_memory();
  void place_findings(trace::Id command);
  // One hand-over for many records; a command buffer that is complete is on its way at once.
  template <typename AnyRecord>
  void add(AnyRecord&& record) {
    constexpr size_t kBatch = 128;
    if (batch_.empty()) batch_.reserve(kBatch);
    batch_.emplace_back(std::forward<AnyRecord>(record));
    if (batch_.size() == kBatch) flush();
  }
  void flush();

  trace::Writer& writer_;
  const device::Device& device_;
  const RecorderOptions options_;
  const uint64_t start_ns_;
  const int64_t process_started_;  // since the capture began; negative: before

  std::mutex mutex_;  // guards what follows
  std::condition_variable completed_;
  bool is_closed_ = false;
  InternTable interned_;
  CommandOrder order_;
  std::unordered_map<uint64_t, trace::CommandBufferRecord> running_;  // by command buffer
  // What the last command belonged to: commands come in runs. 0: nothing that is known any more.
  uint64_t last_running_ = 0, last_placed_ = 0, last_kernel_ = 0;
  std::vector<trace::Id>* last_places_ = nullptr;  // those of last_placed_
  // Timelines: commands of the last command buffers by their index there, for what others read from
  // them.
  static constexpr size_t kRemembered = 64;
  std::unordered_map<uint64_t, std::vector<trace::Id>> places_;  // by command buffer
  std::deque<uint64_t> remembered_;                              // in the order they began
  std::unordered_map<int64_t, trace::Id> threads_;               // by the system's number
  std::unordered_map<uint64_t, BufferState> buffers_;            // by the device's id
  std::unordered_map<base::Hash128, trace::Id> contents_;
  std::unordered_set<uint64_t> kernels_;
  std::unordered_set<uint64_t> atomic_kernels_;  // threads change memory in whatever order
  std::unordered_set<uint64_t> queues_;
  trace::Id next_buffer_ = 1;
  trace::Id next_command_ = 1;
  trace::MemoryRecord last_memory_;
  std::unordered_map<std::string, trace::FindingRecord> findings_;  // by what makes them the same
  // Keys of findings whose command has not ended yet, by the number of the thread that runs it.
  std::unordered_map<int64_t, std::vector<std::string>> unplaced_;
  RecorderCounts counts_;
  std::vector<trace::Record> batch_;  // on its way to the writer
};

}  // namespace assay::capture
