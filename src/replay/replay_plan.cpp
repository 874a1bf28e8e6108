// See replay_plan.h.
#include "replay/replay_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <vector>

#include "replay/command_scan.h"

namespace assay::replay {
namespace {

// A command before the range, in short.
struct EarlierCommand {
  Id id = 0;
  std::optional<Id> kernel = {};
  uint64_t result_bytes = 0;
  std::vector<Id> buffers = {};  // all it uses
  std::vector<Id> written = {};
};

uint64_t result_bytes(const trace::CommandRecord& command) {
  uint64_t bytes = 0;
  for (const trace::BindingRecord& binding : command.bindings) {
    if (is_written(binding))
      bytes += static_cast<uint64_t>(binding.range_end - binding.range_begin);
  }
  return bytes;
}

EarlierCommand shorten(const trace::CommandRecord& command) {
  EarlierCommand earlier{command.id, command.kernel, result_bytes(command)};
  for (const trace::BindingRecord& binding : command.bindings) {
    if (!binding.buffer) continue;
    earlier.buffers.push_back(*binding.buffer);
    if (is_written(binding)) earlier.written.push_back(*binding.buffer);
  }
  return earlier;
}

void add(ReplayPlan& plan, const EarlierCommand& command) {
  if (command.kernel) plan.kernels.insert(*command.kernel);
  plan.largest_result_bytes = std::max(plan.largest_result_bytes, command.result_bytes);
  for (const Id buffer : command.buffers) {
    auto [entry, is_new] = plan.buffers.try_emplace(buffer, command.id, command.id);
    entry->second.first = std::min(entry->second.first, command.id);
    entry->second.last = std::max(entry->second.last, command.id);
  }
}

// From the range backwards: whoever wrote something that is needed is needed, and all it uses.
void add_earlier(ReplayPlan& plan, const std::vector<EarlierCommand>& commands) {
  for (const EarlierCommand& command : std::views::reverse(commands)) {
    const bool is_needed = std::ranges::any_of(
        command.written, [&](Id buffer) { return plan.buffers.contains(buffer); });
    if (!is_needed) continue;
    plan.earlier.insert(command.id);
    add(plan, command);
  }
}

void compute_peak(ReplayPlan& plan, const TraceTables& tables) {
  struct Change {
    uint64_t begun_bytes = 0, ended_bytes = 0;
    uint64_t begun = 0, ended = 0;
  };
  std::map<Id, Change> changes;
  for (const auto& [buffer, life] : plan.buffers) {
    const auto bytes = static_cast<uint64_t>(tables.buffers.at(buffer).bytes);
    Change& begin = changes[life.first];
    begin.begun_bytes += bytes;
    ++begin.begun;
    Change& end = changes[life.last];
    end.ended_bytes += bytes;
    ++end.ended;
  }
  uint64_t bytes = 0, count = 0;
  for (const auto& [command, change] : changes) {
    bytes += change.begun_bytes;
    count += change.begun;
    if (bytes > plan.peak_bytes) plan.peak_command = command;
    plan.peak_bytes = std::max(plan.peak_bytes, bytes);
    plan.peak_buffers = std::max(plan.peak_buffers, count);
    bytes -= change.ended_bytes;
    count -= change.ended;
  }
}

// Contents that do not exist cannot be replayed from, and sizes are only believed with contents.
Result<void> check_contents(const ReplayPlan& plan, const trace::Document& document,
                            const TraceTables& tables) {
  for (const auto& [buffer, life] : plan.buffers) {
    if (tables.buffers.at(buffer).first_content) continue;
    return document.error(
        fmt::format("table 'buffers', row with id {}: the contents before command {} are missing",
                    buffer, life.first));
  }
  return {};
}

}  // namespace

Result<ReplayPlan> make_plan(const trace::Document& document, const TraceTables& tables,
                             const CommandRange& range) {
  Result<CommandScan> scan = CommandScan::open(document, tables);
  if (!scan) return scan.error();
  ReplayPlan plan{.range = range};
  std::vector<EarlierCommand> earlier;
  Id last = 0;
  while (true) {
    const Result<std::optional<trace::CommandRecord>> command = scan->next();
    if (!command) return command.error();
    if (!*command) break;
    last = (*command)->id;
    if (!is_work(**command)) continue;
    if (last < range.first) earlier.push_back(shorten(**command));
    if (!range.contains(last)) continue;
    ++plan.commands;
    add(plan, shorten(**command));
  }
  if (last != 0 && range.first > last) {
    return Error{fmt::format("there is no command {}: the commands of '{}' go from 1 to {}",
                             range.first, document.path(), last)};
  }
  add_earlier(plan, earlier);
  compute_peak(plan, tables);
  if (const Result<void> checked = check_contents(plan, document, tables); !checked) {
    return checked.error();
  }
  return plan;
}

}  // namespace assay::replay
