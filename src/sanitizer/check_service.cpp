// See check_service.h.
#include "sanitizer/check_service.h"

#include <cstring>

#include "sanitizer/checks/initialised.h"
#include "sanitizer/launch_findings.h"

namespace assay::sanitizer {
// A launch and the lock that keeps others out until it is over.
class CheckService::Turn final : public device::LaunchChecks {
 public:
  Turn(CheckService& service, const kernel::CommandDescription& command,
       const kernel::CheckTable& table)
      : lock_(service.launches_),
        checker_(command, table,
                 {.checks = service.options_.checks,
                  .schedule_seed = service.options_.schedule_seed,
                  .race_bytes = service.options_.race_bytes,
                  .state_of = [&](const auto& binding) { return service.state_of(binding); },
                  .list_memory = [&] { return service.list_memory(); }},
                 [&service](const LaunchChecker& launch) {
                   service.finish(launch);
                   return Result<void>();
                 }) {}

  kernel::GroupChecker& group_checker() override { return checker_.group_checker(); }
  uint64_t group_at(uint64_t index) const override { return checker_.group_at(index); }
  Result<void> finish() override { return checker_.finish(); }

 private:
  const std::lock_guard<std::mutex> lock_;
  LaunchChecker checker_;
};

std::shared_ptr<CheckService> CheckService::attach(device::Device& device,
                                                   const CheckOptions& options, Found found) {
  CheckOptions known = options;
  if (known.race_bytes == 0) known.race_bytes = most_race_bytes(device);
  auto service = std::make_shared<CheckService>(known, std::move(found));
  device.set_checks(service, kMemoryPattern);
  device.add_observer(service);
  return service;
}

std::unique_ptr<device::LaunchChecks> CheckService::begin(const kernel::CommandDescription& command,
                                                          const kernel::CheckTable& table) {
  return std::make_unique<Turn>(*this, command, table);
}

// Memory that is seen for the first time has values where it no longer holds the pattern.
MemoryState* CheckService::state_of(const kernel::BindingDescription& binding) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<MemoryState>& state = buffers_[binding.buffer_id];
  if (!state) {
    state = std::make_unique<MemoryState>();
    state->initialised.resize(binding.buffer.size());
    find_initialised(binding.buffer.data(), state->initialised);
  }
  return state.get();
}

void CheckService::finish(const LaunchChecker& launch) {
  uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    number = ++command_count_;
  }
  std::vector<Finding> findings = list_findings(launch);
  for (Finding& finding : findings) {
    finding.command = number;
    found_(std::move(finding));
  }
  release_race_cells(launch.race_bytes_used());
}

// Between launches cells are only kept to save clearing them, as far as they do not take too much
// from the program.
void CheckService::release_race_cells(uint64_t used) {
  const std::lock_guard lock(mutex_);
  race_bytes_used_ += used;
  if (race_bytes_used_ <= options_.race_bytes / 16) return;
  race_bytes_used_ = 0;
  uint64_t held = 0;
  for (const auto& [id, state] : buffers_) held += state->races.size();
  if (held <= options_.race_bytes / 4) return;
  for (const auto& [id, state] : buffers_) state->races.release();
}

void CheckService::on_submit(const kernel::SubmitDescription& submit) {
  const std::lock_guard lock(mutex_);
  ordering_.on_submit(submit);
}

void CheckService::on_complete(const kernel::SubmitDescription& submit,
                               std::string_view /*error*/) {
  const std::lock_guard lock(mutex_);
  ordering_.on_complete(submit);
}

void CheckService::on_command_begin(const kernel::CommandDescription& command) {
  if (!options_.checks.has(Check::kOrdering)) return;
  std::vector<Finding> findings;
  {
    const std::lock_guard lock(mutex_);
    findings = ordering_.on_begin(command);
  }
  if (findings.empty()) return;
  const std::lock_guard turn(launches_);
  for (Finding& finding : findings) found_(std::move(finding));
}

void CheckService::on_allocate(const kernel::BufferDescription& buffer) {
  const std::lock_guard lock(mutex_);
  memory_[reinterpret_cast<uint64_t>(buffer.contents.data())] = buffer.contents.size();
}

std::vector<Extent> CheckService::list_memory() {
  const std::lock_guard lock(mutex_);
  std::vector<Extent> list;
  list.reserve(memory_.size());
  for (const auto& [begin, bytes] : memory_) list.push_back({begin, begin + bytes, begin});
  return list;
}

void CheckService::on_free(const kernel::BufferDescription& buffer) {
  const std::lock_guard lock(mutex_);
  memory_.erase(reinterpret_cast<uint64_t>(buffer.contents.data()));
  buffers_.erase(buffer.id);
  ordering_.forget(buffer.id);
}

// `source`: what the bytes were copied from; null when they have values now.
void CheckService::mark_written(const kernel::BindingDescription& binding, const uint8_t* source) {
  MemoryState* state = state_of(binding);
  uint8_t* target = &state->initialised[binding.offset];
  if (source != nullptr) {
    std::memmove(target, source, binding.bytes);
    state->is_complete = false;
  } else {
    std::memset(target, 1, binding.bytes);
  }
}

void CheckService::on_command_end(const kernel::CommandDescription& command,
                                  const kernel::DispatchTimes& /*times*/,
                                  std::string_view /*error*/) {
  if (options_.checks.has(Check::kOrdering)) {
    const std::lock_guard lock(mutex_);
    ordering_.on_end(command);
  }
  const bool is_copy = command.kind == kernel::CommandKind::kCopy;
  if (!is_copy && command.kind != kernel::CommandKind::kFill &&
      command.kind != kernel::CommandKind::kMatrixProduct) {
    return;
  }
  const std::lock_guard turn(launches_);
  const uint8_t* source = nullptr;
  if (is_copy) {
    const kernel::BindingDescription& from = command.bindings.front();
    source = &state_of(from)->initialised[from.offset];
  }
  for (const kernel::BindingDescription& binding : command.bindings) {
    if (binding.access != kernel::Access::kWrite && binding.access != kernel::Access::kReadWrite) {
      continue;
    }
    if (binding.bytes != 0) mark_written(binding, source);
  }
}

}  // namespace assay::sanitizer
