// The commands of a document one after the other, in the order they ended, with all they use.
#pragma once

#include <optional>

#include "base/result.h"
#include "replay/trace_tables.h"
#include "trace/document.h"
#include "trace/records.h"

namespace assay::replay {

// Every command it gives is whole: ids exist, ranges lie inside their buffers, and a command has
// the bindings that its kind needs. Nothing but the current command is in memory.
class CommandScan {
 public:
  // Both must outlive the scan.
  static Result<CommandScan> open(const trace::Document& document, const TraceTables& tables);

  // Nothing behind the last one. The error names the row that is wrong.
  Result<std::optional<trace::CommandRecord>> next();

 private:
  CommandScan(const trace::Document& document, const TraceTables& tables, trace::Statement commands,
              trace::Statement bindings);
  // The bindings are read beside the commands: both come by the command's id.
  Result<void> step_bindings();
  Result<void> read_bindings(trace::CommandRecord& command);

  const trace::Document* document_;
  const TraceTables* tables_;
  trace::Statement commands_;
  trace::Statement bindings_;
  bool has_binding_ = false;
  Id last_ = 0;
};

// The binding of a slot; null where there is none.
const trace::BindingRecord* find_buffer(const trace::CommandRecord& command, uint32_t slot);

inline bool is_read(const trace::BindingRecord& binding) {
  return (binding.access & trace::kReads) != 0;
}
inline bool is_written(const trace::BindingRecord& binding) {
  return (binding.access & trace::kWrites) != 0;
}
// Waits and signals have no results.
inline bool is_work(const trace::CommandRecord& command) {
  return command.kind != trace::CommandKind::kWait && command.kind != trace::CommandKind::kSignal;
}

}  // namespace assay::replay
