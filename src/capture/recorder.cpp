// See recorder.h.
#include "capture/recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "capture/description_json.h"
#include "capture/host_process.h"
#include "device/clock.h"

namespace assay::capture {
namespace {

using kernel::BindingDescription;
using kernel::CommandDescription;
using trace::Id;

// The one process that a recorder knows; others have documents of their own.
constexpr Id kProcess = 1;

// Often enough to see every step of a program, seldom enough to cost nothing.
constexpr int64_t kMemoryInterval_ns = 200'000;

bool is_read(kernel::Access access) {
  return access == kernel::Access::kRead || access == kernel::Access::kReadWrite;
}
bool is_written(kernel::Access access) {
  return access == kernel::Access::kWrite || access == kernel::Access::kReadWrite;
}

// The bytes of the buffer that the command may touch: an array knows better than the binding, which
// reaches to the end of the buffer.
struct ByteRange {
  int64_t begin = 0, end = 0;
};
ByteRange range_of(const CommandDescription& command, const BindingDescription& binding) {
  const auto start = static_cast<int64_t>(binding.offset);
  ByteRange range{start, start + static_cast<int64_t>(binding.bytes)};
  const auto array =
      std::ranges::find(command.arrays, binding.slot, &kernel::ArrayDescription::slot);
  const auto size = static_cast<int64_t>(binding.buffer.size());
  if (array == command.arrays.end()) {
    // Matrices may lie before the bound place.
    const bool is_operand = command.product != nullptr && binding.access == kernel::Access::kRead;
    return is_operand ? ByteRange{0, size} : range;
  }
  return {std::clamp<int64_t>(start + array->low, 0, size),
          std::clamp<int64_t>(start + array->high, 0, size)};
}

// Queues may have a label of the user behind their own: "stream 2: prefill".
bool is_queue(std::string_view label, std::string_view wanted) {
  if (wanted.empty() || label == wanted) return true;
  return label.starts_with(wanted) && label.substr(wanted.size()).starts_with(": ");
}

}  // namespace

Recorder::Recorder(trace::Writer& writer, const device::Device& device, RecorderOptions options)
    : writer_(writer),
      device_(device),
      options_(std::move(options)),
      start_ns_(options_.start_ns != 0 ? options_.start_ns : device::now_ns()),
      process_started_(since_start(process_start_ns())),
      interned_(writer) {
  const std::lock_guard lock(mutex_);
  add(trace::ProcessRecord{kProcess, process_number(), command_line(), process_started_});
}

int64_t Recorder::since_start(uint64_t steady_ns) const {
  return static_cast<int64_t>(steady_ns) - static_cast<int64_t>(start_ns_);
}

int64_t Recorder::now() const { return since_start(device::now_ns()); }

bool Recorder::is_recorded(const CommandDescription& command) {
  if (command.command_buffer_id == last_running_) return true;
  if (!running_.contains(command.command_buffer_id)) return false;
  last_running_ = command.command_buffer_id;
  return true;
}

bool Recorder::is_included(const CommandDescription& command) const {
  if (options_.name.empty()) return true;
  const bool is_named =
      command.kernel != nullptr && command.kernel->name.find(options_.name) != std::string::npos;
  return is_named || command.label.find(options_.name) != std::string_view::npos;
}

void Recorder::flush() {
  if (batch_.empty()) return;
  batch_ = writer_.exchange(std::exchange(batch_, {}));
}

// --- memory --------------------------------------------------------------------------------------

void Recorder::note_memory() {
  const device::MemoryStatistics memory = device_.memory();
  const trace::MemoryRecord record{now(), static_cast<int64_t>(memory.active_bytes),
                                   static_cast<int64_t>(memory.cached_bytes)};
  if (last_memory_.at != 0 && record.at - last_memory_.at < kMemoryInterval_ns) return;
  last_memory_ = record;
  add(record);
}

void Recorder::on_allocate(const kernel::BufferDescription& buffer) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return;
  note_memory();
  if (options_.detail == Detail::kTimeline) return;
  BufferState& state = buffers_[buffer.id];
  state.record = {.id = next_buffer_++,
                  .label = interned_.text(buffer.label),
                  .bytes = static_cast<int64_t>(buffer.bytes),
                  .allocated = now()};
  state.contents = buffer.contents;
}

void Recorder::on_free(const kernel::BufferDescription& buffer) {
  const std::lock_guard lock(mutex_);
  if (!is_closed_) note_memory();
  retire(buffer.id, true);
}

Recorder::BufferState& Recorder::buffer_state(const BindingDescription& binding) {
  const auto [entry, is_new] = buffers_.try_emplace(binding.buffer_id);
  BufferState& state = entry->second;
  if (is_new) {
    state.record = {.id = next_buffer_++,
                    .label = interned_.text(binding.buffer_label),
                    .bytes = static_cast<int64_t>(binding.buffer.size())};
    state.contents = binding.buffer;
  }
  return state;
}

trace::Id Recorder::store_content(std::span<const std::byte> bytes, const base::Hash128& hash) {
  const auto id = static_cast<Id>(contents_.size() + 1);
  const auto [entry, is_new] = contents_.try_emplace(hash, id);
  if (!is_new) return entry->second;
  add(trace::ContentRecord{id, hash, {bytes.begin(), bytes.end()}});
  flush();  // the writer bounds how much memory waits for the file
  return entry->second;
}

void Recorder::retire(uint64_t buffer_id, bool is_freed) {
  const auto entry = buffers_.find(buffer_id);
  if (entry == buffers_.end()) return;
  BufferState& state = entry->second;
  if (is_full() && state.record.last_writer) {
    state.record.last_content = store_content(state.contents, base::hash_content(state.contents));
  }
  if (is_freed && !is_closed_) state.record.freed = now();
  order_.forget(state.record.id);
  add(state.record);
  buffers_.erase(entry);
}

// --- objects -------------------------------------------------------------------------------------

void Recorder::on_kernel_loaded(const kernel::LoadDescription& load) {
  const std::lock_guard lock(mutex_);
  if (is_closed_ || load.image == nullptr || !load.image->origin) return;
  const auto duration = static_cast<int64_t>(load.image->origin->build_ns);
  add(trace::CompilationRecord{.kernel = static_cast<Id>(load.kernel_id),
                               .ended = now(),
                               .duration = duration,
                               .is_from_cache = load.image->origin->is_from_cache});
}

void Recorder::on_queue_created(const kernel::QueueDescription& queue) {
  const std::lock_guard lock(mutex_);
  if (!is_closed_) add_queue(queue.id, queue.label);
}

void Recorder::add_queue(uint64_t id, std::string_view label) {
  if (!queues_.insert(id).second) return;
  add(trace::QueueRecord{static_cast<Id>(id), std::string(label), kProcess});
}

trace::Id Recorder::thread() {
  const auto [entry, is_new] =
      threads_.try_emplace(thread_number(), static_cast<Id>(threads_.size() + 1));
  if (is_new) add(trace::ThreadRecord{entry->second, kProcess, thread_name()});
  return entry->second;
}

// --- host ----------------------------------------------------------------------------------------

void Recorder::on_host_span(const kernel::HostSpanDescription& span) {
  const std::lock_guard lock(mutex_);
  // What began before the capture is not all there.
  if (is_closed_ || since_start(span.started_ns) < 0) return;
  auto text = [&](std::string_view each) { return each.empty() ? Id{0} : interned_.text(each); };
  add(trace::SpanRecord{.thread = thread(),
                        .kind = static_cast<trace::SpanKind>(span.activity),
                        .started = since_start(span.started_ns),
                        .ended = since_start(span.ended_ns),
                        .label = text(span.label),
                        .site = text(span.origin)});
}

void Recorder::add_start_span(Id thread, int64_t submitted) {
  if (!options_.is_whole_program || counts_.command_buffers != 0) return;
  add(trace::SpanRecord{.thread = thread,
                        .kind = trace::SpanKind::kStart,
                        .started = process_started_,
                        .ended = submitted});
}

void Recorder::add_kernel(const CommandDescription& command) {
  if (command.kernel == nullptr || command.kernel_id == last_kernel_) return;
  last_kernel_ = command.kernel_id;
  if (!kernels_.insert(command.kernel_id).second) return;
  trace::KernelRecord record{.id = static_cast<Id>(command.kernel_id),
                             .name = command.kernel->name,
                             .file = command.kernel->file,
                             .source = std::nullopt,
                             .options = "{}",
                             .reflection = reflection_json(*command.kernel)};
  if (const kernel::KernelOrigin* origin = command.kernel_origin) {
    record.file = origin->file;
    record.options = options_json(*origin);
    if (options_.detail != Detail::kTimeline && origin->source) {
      const auto bytes = std::as_bytes(std::span(*origin->source));
      record.source = store_content(bytes, base::hash_content(bytes));
      if (origin->source->find("atomic") != std::string::npos) {
        atomic_kernels_.insert(command.kernel_id);
      }
    }
  }
  add(std::move(record));
}

// --- findings ------------------------------------------------------------------------------------

void Recorder::add_finding(trace::FindingRecord finding) {
  const std::lock_guard lock(mutex_);
  if (is_closed_ && running_.empty()) return;
  const std::string key =
      fmt::format("{}\n{}\n{}\n{}:{}\n{}", finding.rule, finding.kernel, finding.file, finding.line,
                  finding.character, finding.message);
  const auto [entry, is_new] = findings_.try_emplace(key);
  if (!is_new) {
    entry->second.occurrences += finding.occurrences;
    return;
  }
  finding.id = static_cast<Id>(findings_.size());
  finding.command.reset();
  entry->second = std::move(finding);
  unplaced_[thread_number()].push_back(key);
}

// A checked launch tells its findings before its command ends, on the same thread.
void Recorder::place_findings(Id command) {
  if (unplaced_.empty()) return;
  const auto found = unplaced_.find(thread_number());
  if (found == unplaced_.end()) return;
  for (const std::string& key : found->second) {
    trace::FindingRecord& finding = findings_.at(key);
    finding.command = command;
    add(finding);
  }
  unplaced_.erase(found);
}

// --- commands ------------------------------------------------------------------------------------

void Recorder::on_submit(const kernel::SubmitDescription& submit) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return;
  if (!is_queue(submit.queue_label, options_.queue_label)) return;
  add_queue(submit.queue_id, submit.queue_label);
  const int64_t submitted = since_start(submit.submitted_ns);
  const Id submitter = thread();
  add_start_span(submitter, submitted);
  const trace::CommandBufferRecord record{.id = static_cast<Id>(submit.command_buffer_id),
                                          .queue = static_cast<Id>(submit.queue_id),
                                          .label = interned_.text(submit.label),
                                          .submitted = submitted,
                                          .thread = submitter};
  running_.emplace(submit.command_buffer_id, record);
  ++counts_.command_buffers;
  add(record);
}

void Recorder::on_complete(const kernel::SubmitDescription& submit, std::string_view error) {
  const std::lock_guard lock(mutex_);
  const auto entry = running_.find(submit.command_buffer_id);
  if (entry == running_.end()) return;
  trace::CommandBufferRecord record = entry->second;
  record.completed = now();
  if (!error.empty()) record.error = std::string(error);
  add(std::move(record));
  if (last_running_ == entry->first) last_running_ = 0;
  running_.erase(entry);
  flush();
  completed_.notify_all();
}

void Recorder::on_command_begin(const CommandDescription& command) {
  if (options_.detail == Detail::kTimeline) return;
  std::unique_lock lock(mutex_);
  if (!is_recorded(command) || !is_included(command)) {
    // What the trace knows about these buffers ends here.
    for (const BindingDescription& binding : command.bindings) {
      if (binding.buffer_id != 0 && is_written(binding.access)) retire(binding.buffer_id, false);
    }
    return;
  }
  for (const BindingDescription& binding : command.bindings) {
    if (binding.buffer_id == 0) continue;
    BufferState& state = buffer_state(binding);
    if (std::exchange(state.is_used, true)) continue;
    if (!is_full()) {
      add(state.record);
      continue;
    }
    // Hashing takes a while; others need not wait for it.
    lock.unlock();
    const base::Hash128 hash = base::hash_content(binding.buffer);
    lock.lock();
    BufferState& same = buffer_state(binding);
    same.record.first_content = store_content(binding.buffer, hash);
    add(same.record);
  }
}

void Recorder::on_command_end(const CommandDescription& command, const kernel::DispatchTimes& times,
                              std::string_view error) {
  const std::lock_guard lock(mutex_);
  if (!is_recorded(command)) return;
  if (!is_included(command)) {
    ++counts_.left_out;
    return;
  }
  ++counts_.commands;
  if (command.kind == kernel::CommandKind::kDispatch) add_kernel(command);
  trace::CommandRecord record = make_record(command, times, error);
  place_findings(record.id);
  if (options_.detail != Detail::kTimeline) add_bindings(command, record);
  add_order(command, record);
  add(std::move(record));
}

// The memory of the one that is forgotten serves the one that begins.
std::vector<trace::Id>& Recorder::places_of(uint64_t command_buffer_id) {
  if (command_buffer_id == last_placed_) return *last_places_;
  auto entry = places_.find(command_buffer_id);
  if (entry == places_.end()) {
    remembered_.push_back(command_buffer_id);
    decltype(places_)::node_type node;
    if (remembered_.size() > kRemembered) {
      node = places_.extract(remembered_.front());
      remembered_.pop_front();
    }
    if (node.empty()) {
      entry = places_.try_emplace(command_buffer_id).first;
    } else {
      node.key() = command_buffer_id;
      node.mapped().clear();
      entry = places_.insert(std::move(node)).position;
    }
  }
  last_placed_ = command_buffer_id;
  last_places_ = &entry->second;
  return entry->second;
}

void Recorder::remember(const CommandDescription& command, Id id) {
  std::vector<Id>& ids = places_of(command.command_buffer_id);
  if (ids.size() <= command.index) ids.resize(command.index + 1);
  ids[command.index] = id;
}

trace::Id Recorder::find_command(const kernel::CommandPlace& place) const {
  const auto found = places_.find(place.command_buffer_id);
  if (found == places_.end() || found->second.size() <= place.index) return 0;
  return found->second[place.index];
}

void Recorder::add_order(const CommandDescription& command, const trace::CommandRecord& record) {
  std::vector<trace::DependencyRecord> needs;
  if (options_.detail == Detail::kTimeline) {
    for (const kernel::CommandPlace& place : command.reads_from) {
      if (const Id id = find_command(place); id != 0) needs.push_back({record.id, id});
    }
    remember(command, record.id);
  } else {
    std::vector<CommandOrder::Range> ranges;
    for (const trace::BindingRecord& binding : record.bindings) {
      if (!binding.buffer) continue;
      ranges.push_back({*binding.buffer, binding.range_begin, binding.range_end,
                        (binding.access & trace::kReads) != 0,
                        (binding.access & trace::kWrites) != 0});
    }
    needs = order_.add(record.id, command.queue_id, ranges);
  }
  if (command.kind == kernel::CommandKind::kSignal) {
    order_.add_signal(record.id, command.event_id, command.event_value);
  }
  if (command.kind == kernel::CommandKind::kWait) {
    needs = order_.add_wait(record.id, command.event_id, command.event_value);
  }
  for (const trace::DependencyRecord& need : needs) add(need);
}

trace::CommandRecord Recorder::make_record(const CommandDescription& command,
                                           const kernel::DispatchTimes& times,
                                           std::string_view error) {
  using Kind = kernel::CommandKind;
  trace::CommandRecord record{.id = next_command_++,
                              .command_buffer = static_cast<Id>(command.command_buffer_id),
                              .position = command.index,
                              .kind = static_cast<trace::CommandKind>(command.kind),
                              .started = since_start(times.started_ns),
                              .ended = since_start(times.ended_ns),
                              .label = interned_.text(command.label),
                              .site = interned_.text(command.origin),
                              .role = static_cast<trace::CommandRole>(command.role)};
  if (command.bytes_read != 0 || command.bytes_written != 0) {
    record.bytes_read = static_cast<int64_t>(command.bytes_read);
    record.bytes_written = static_cast<int64_t>(command.bytes_written);
  }
  if (command.kind == Kind::kDispatch) {
    record.kernel = static_cast<Id>(command.kernel_id);
    record.launch = interned_.launch(command.size);
  } else if (command.kind == Kind::kFill) {
    record.value = command.fill_value;
  } else if (command.kind == Kind::kMatrixProduct) {
    record.product = interned_.text(product_json(*command.product));
  } else if (command.kind == Kind::kWait || command.kind == Kind::kSignal) {
    record.event = static_cast<Id>(command.event_id);
    record.value = static_cast<int64_t>(command.event_value);
  }
  if (!error.empty()) record.error = std::string(error);
  return record;
}

void Recorder::add_bindings(const CommandDescription& command, trace::CommandRecord& record) {
  for (const BindingDescription& binding : command.bindings) {
    const ByteRange range = range_of(command, binding);
    trace::BindingRecord& added = record.bindings.emplace_back();
    added.slot = binding.slot;
    added.kind = static_cast<trace::BindingKind>(binding.kind);
    added.access = static_cast<uint8_t>((is_read(binding.access) ? trace::kReads : 0) |
                                        (is_written(binding.access) ? trace::kWrites : 0));
    added.start = static_cast<int64_t>(binding.offset);
    added.bytes = static_cast<int64_t>(binding.bytes);
    if (binding.kind == kernel::BindingKind::kBytes) {
      const std::span bytes(binding.data, binding.bytes);
      added.content = store_content(bytes, base::hash_content(bytes));
    }
    const auto array =
        std::ranges::find(command.arrays, binding.slot, &kernel::ArrayDescription::slot);
    if (array != command.arrays.end()) added.array = interned_.array(*array);
    if (binding.buffer_id == 0) continue;
    BufferState& state = buffer_state(binding);
    added.buffer = state.record.id;
    added.range_begin = range.begin;
    added.range_end = range.end;
    if (!is_written(binding.access)) continue;
    state.record.last_writer = record.id;
    if (!is_full()) continue;
    const std::span<const std::byte> written = binding.buffer.subspan(
        static_cast<size_t>(range.begin), static_cast<size_t>(range.end - range.begin));
    added.result = base::hash_content(written);
    // Run again it may give something else: a hash alone would not say how far away that is.
    if (atomic_kernels_.contains(command.kernel_id)) store_content(written, *added.result);
  }
}

RecorderCounts Recorder::close() {
  std::unique_lock lock(mutex_);
  is_closed_ = true;
  completed_.wait(lock, [&] { return running_.empty(); });
  while (!buffers_.empty()) retire(buffers_.begin()->first, false);
  for (auto& [key, finding] : findings_) add(std::move(finding));  // how often it was in the end
  findings_.clear();
  flush();
  return counts_;
}

}  // namespace assay::capture
