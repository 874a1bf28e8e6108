// See call_checks.h.
#include "sanitizer/call_checks.h"

#include <cstring>
#include <map>

#include "sanitizer/launch_checker.h"
#include "sanitizer/launch_findings.h"

namespace assay::sanitizer {
namespace {

// Memory in which every byte has a value.
std::unique_ptr<MemoryState> make_state(uint64_t bytes) {
  auto state = std::make_unique<MemoryState>();
  state->initialised.assign(bytes, 1);
  state->is_complete = true;
  state->has_pattern = false;
  return state;
}

void mark_new(const kernel::BindingDescription& binding, const kernel::ArrayDescription& array,
              MemoryState& state) {
  if (array.low == array.high) return;
  const auto begin = static_cast<uint64_t>(static_cast<int64_t>(binding.offset) + array.low);
  std::memset(&state.initialised[begin], 0, static_cast<uint64_t>(array.high - array.low));
  state.is_complete = false;
}

}  // namespace

class CallChecks::Launch final : public device::LaunchChecks {
 public:
  Launch(const CallChecks& service, const kernel::CommandDescription& command,
         const kernel::CheckTable& table)
      : memory_(find_memory(command)),
        checker_(command, table,
                 {.checks = service.checks_,
                  .race_bytes = service.race_bytes_,
                  .state_of =
                      [this](const kernel::BindingDescription& binding) {
                        return memory_.at(binding.buffer_id).get();
                      }},
                 [&service](const LaunchChecker& launch) {
                   return service.judge_(list_findings(launch));
                 }) {}

  kernel::GroupChecker& group_checker() override { return checker_.group_checker(); }
  uint64_t group_at(uint64_t index) const override { return checker_.group_at(index); }
  Result<void> finish() override { return checker_.finish(); }

 private:
  using Memory = std::map<uint64_t, std::unique_ptr<MemoryState>>;  // by buffer

  static Memory find_memory(const kernel::CommandDescription& command) {
    Memory memory;
    for (const kernel::BindingDescription& binding : command.bindings) {
      if (binding.kind != kernel::BindingKind::kBuffer) continue;
      std::unique_ptr<MemoryState>& state = memory[binding.buffer_id];
      if (!state) state = make_state(binding.buffer.size());
      for (const kernel::ArrayDescription& array : command.arrays) {
        if (array.slot == binding.slot && array.is_new) mark_new(binding, array, *state);
      }
    }
    return memory;
  }

  Memory memory_;
  LaunchChecker checker_;
};

std::unique_ptr<device::LaunchChecks> CallChecks::begin(const kernel::CommandDescription& command,
                                                        const kernel::CheckTable& table) {
  return std::make_unique<Launch>(*this, command, table);
}

}  // namespace assay::sanitizer
