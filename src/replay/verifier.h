// Compares what commands left behind with what they left in the capture.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "replay/buffer_table.h"
#include "replay/command_stage.h"
#include "replay/inexact_ranges.h"
#include "replay/kernel_set.h"
#include "replay/report.h"
#include "replay/trace_tables.h"

namespace assay::replay {

struct VerifierInputs {
  const trace::Document& document;
  const TraceTables& tables;
  const KernelSet& kernels;
  BufferTable& buffers;
  double tolerance = 1e-5;
  // Another machine than that of the capture: its library of matrix products may add in another
  // order.
  bool is_other_machine = false;
};

class Verifier {
 public:
  explicit Verifier(const VerifierInputs& inputs) : inputs_(inputs) {}

  // The command has run; `before` is what was there. `run_again` runs it once more, false when
  // that fails. Where the captured contents are known they take the place of what differs, so that
  // one difference is told once.
  Result<void> check(const trace::CommandRecord& command, const Snapshot& before,
                     const std::function<bool()>& run_again, Report& report);
  // The command failed, now or in the capture: what it has written says nothing.
  Result<void> add_failure(const trace::CommandRecord& command, std::string_view error,
                           Report& report);

 private:
  // Why the results of a command need not repeat.
  struct Freedom {
    std::string reason = {};  // empty: they have to
    bool repeats = true;
    bool is_free() const { return !reason.empty(); }
  };
  struct Judgement {
    std::optional<InexactRanges::Cause> cause = {};
    Freedom freedom = {};
  };
  using Binding = trace::BindingRecord;

  Freedom find_freedom(const trace::CommandRecord& command, const Snapshot& before,
                       const std::optional<InexactRanges::Cause>& cause,
                       const std::function<bool()>& run_again);
  std::optional<InexactRanges::Cause> find_cause(const trace::CommandRecord& command) const;
  bool varies(const trace::CommandRecord& command, const Snapshot& before,
              const std::function<bool()>& run_again);
  Result<Outcome> check_binding(const trace::CommandRecord& command, const Binding& binding,
                                const Judgement& judgement, Report& report);
  void put_back(const Binding& binding, const std::vector<std::byte>& captured);
  // What the binding's range held in the capture; nothing where the document does not say.
  Result<std::optional<std::vector<std::byte>>> find_captured(const trace::CommandRecord& command,
                                                              const Binding& binding) const;
  Difference describe(const trace::CommandRecord& command, const Binding& binding) const;
  Place locate(const Binding& binding, ElementType type, Comparison comparison) const;
  ElementType element_type(const trace::CommandRecord& command, const Binding& binding) const;
  void add_tolerated(const trace::CommandRecord& command, const Freedom& freedom,
                     const Comparison& comparison, Report& report);

  const VerifierInputs inputs_;
  InexactRanges inexact_;
};

// A kernel's name, or what the command does.
std::string command_name(const trace::CommandRecord& command, const TraceTables& tables);
CommandName describe_command(const trace::CommandRecord& command, const TraceTables& tables);

}  // namespace assay::replay
