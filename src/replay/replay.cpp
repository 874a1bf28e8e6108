// See replay.h.
#include "replay/replay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <thread>

#include "replay/buffer_table.h"
#include "replay/command_scan.h"
#include "replay/command_stage.h"
#include "replay/command_times.h"
#include "replay/encode_command.h"
#include "replay/verifier.h"

namespace assay::replay {
namespace {

using trace::CommandKind;
using trace::CommandRecord;

Result<void> check_detail(const trace::Document& document) {
  const std::string detail = document.fact("detail").value_or("");
  if (detail == "full") return {};
  // A program that died at once left less than that.
  if (detail.empty() && !document.is_complete()) return {};
  if (detail == "skeleton" || detail == "timeline") {
    return Error{fmt::format(
        "'{}' is a {} capture: the contents of buffers are not in it, and without them nothing can "
        "be run again; capture it again in full, without --skeleton and --timeline",
        document.path(), detail)};
  }
  return document.error("table 'facts' does not say which detail it was captured with");
}

bool is_other_machine(const trace::Document& document, const device::Device& device) {
  return document.fact("device_name") != device.name() ||
         document.fact("cores") != fmt::format("{}", std::thread::hardware_concurrency());
}

// The work of one replay, behind the checks.
class Replayer {
 public:
  Replayer(const trace::Document& document, const TraceTables& tables, const ReplayPlan& plan,
           const KernelSet& kernels, BufferTable& buffers, const ReplayOptions& options,
           std::shared_ptr<device::Device> device)
      : document_(document),
        tables_(tables),
        plan_(plan),
        options_(options),
        buffers_(buffers),
        context_{document, tables, kernels, buffers},
        verifier_({document, tables, kernels, buffers, options.tolerance,
                   is_other_machine(document, *device)}),
        stage_(tables, std::move(device)) {}

  Result<void> run(Report& report) {
    Result<CommandScan> scan = CommandScan::open(document_, tables_);
    if (!scan) return scan.error();
    while (true) {
      const Result<std::optional<CommandRecord>> command = scan->next();
      if (!command) return command.error();
      if (!*command) break;
      if (const Result<void> done = run(**command, report); !done) return done;
    }
    add_wait_note(report);
    report.times = times_.summarize();
    return {};
  }

 private:
  Result<void> run(const CommandRecord& command, Report& report) {
    if (command.kind == CommandKind::kSignal) {
      uint64_t& value = signalled_[*command.event];
      value = std::max(value, static_cast<uint64_t>(*command.value));
      return plan_.range.contains(command.id) ? stage_.signal(command) : Result<void>();
    }
    if (command.kind == CommandKind::kWait) {
      return plan_.range.contains(command.id) ? wait(command) : Result<void>();
    }
    if (!plan_.runs(command.id)) return {};
    if (options_.on_progress) {
      options_.on_progress({"command", done_++, plan_.commands + plan_.earlier.size()});
    }
    const Result<void> done = work(command, report);
    buffers_.end_command(command.id);
    return done;
  }

  Result<void> wait(const CommandRecord& command) {
    const Result<bool> waited = stage_.wait(command);
    if (!waited) return waited.error();
    const auto value = signalled_.find(*command.event);
    const bool is_known =
        value != signalled_.end() && value->second >= static_cast<uint64_t>(*command.value);
    // Signals before the range are over: there is nothing to wait for, and nothing to say.
    if (!*waited && !is_known) left_out_waits_.push_back(command.id);
    return {};
  }

  Result<void> work(const CommandRecord& command, Report& report) {
    const Result<device::Command> encoded = encode_work(command, context_);
    if (!encoded) return encoded.error();
    const bool is_verified = options_.verifies && plan_.range.contains(command.id);
    const Snapshot before = is_verified ? take_snapshot(command, buffers_) : Snapshot();
    const Result<RunResult> ran = stage_.run(command, *encoded);
    if (!ran) return document_.error(ran.error().message);
    if (!is_verified) return note_failure(command, *ran, report);
    if (command.error || !ran->error.empty()) {
      add_error_note(command, *ran, report);
      return verifier_.add_failure(command, ran->error, report);
    }
    const auto run_again = [&] {
      const Result<RunResult> again = stage_.run(command, *encoded);
      return again && again->error.empty();
    };
    const Result<void> checked = verifier_.check(command, before, run_again, report);
    if (!checked || options_.repeats == 0) return checked;
    return measure(command, *encoded, before);
  }

  Result<void> note_failure(const CommandRecord& command, const RunResult& ran,
                            Report& report) const {
    if (ran.error.empty() || command.error) return {};
    const bool is_earlier = !plan_.range.contains(command.id);
    report.notes.push_back(
        fmt::format("command {}{} failed: {}", command.id,
                    is_earlier ? ", run for the results that the range needs," : "", ran.error));
    return {};
  }

  void add_error_note(const CommandRecord& command, const RunResult& ran, Report& report) const {
    if (!command.error) return;
    report.notes.push_back(fmt::format(
        "command {} ({}) failed in the capture and {} now; what it wrote is not compared",
        command.id, command_name(command, tables_), ran.error.empty() ? "does not" : "fails"));
  }

  // Runs it again from what was there before, and leaves what it has left.
  Result<void> measure(const CommandRecord& command, const device::Command& encoded,
                       const Snapshot& before) {
    const Snapshot behind = take_snapshot(command, buffers_);
    std::vector<double> times_ns;
    for (uint32_t i = 0; i < options_.warm_ups + options_.repeats; ++i) {
      restore(before, command, buffers_);
      const Result<RunResult> ran = stage_.run(command, encoded);
      if (!ran) return ran.error();
      if (i >= options_.warm_ups) times_ns.push_back(ran->time_ns);
    }
    restore(behind, command, buffers_);
    times_.add(command_name(command, tables_), command, std::move(times_ns));
    return {};
  }

  void add_wait_note(Report& report) const {
    if (left_out_waits_.empty()) return;
    report.notes.push_back(fmt::format(
        "the signals that {} {} for are not in the document; {} left out",
        left_out_waits_.size() == 1 ? "command" : "commands",
        left_out_waits_.size() == 1 ? fmt::format("{} waits", left_out_waits_[0])
                                    : fmt::format("{} wait", fmt::join(left_out_waits_, ", ")),
        left_out_waits_.size() == 1 ? "it was" : "they were"));
  }

  const trace::Document& document_;
  const TraceTables& tables_;
  const ReplayPlan& plan_;
  const ReplayOptions& options_;
  BufferTable& buffers_;
  const EncodeContext context_;
  Verifier verifier_;
  CommandStage stage_;
  CommandTimes times_;
  uint64_t done_ = 0;
  std::map<Id, uint64_t> signalled_;  // by event: highest value so far in the document
  std::vector<Id> left_out_waits_;
};

void add_document_notes(const trace::Document& document, const ReplayPlan& plan, Report& report) {
  if (!document.is_complete()) {
    report.notes.push_back(
        "the program ended before the capture did; what the document holds is replayed");
  }
  if (const auto remark = document.fact("remark"); remark && plan.commands == 0) {
    report.notes.push_back(*remark);
  }
  if (!plan.earlier.empty()) {
    report.notes.push_back(fmt::format(
        "{} command{} before {} {} run first, neither verified nor timed: the range needs {}",
        plan.earlier.size(), plan.earlier.size() == 1 ? "" : "s", plan.range.first,
        plan.earlier.size() == 1 ? "was" : "were",
        plan.earlier.size() == 1 ? "its results" : "their results"));
  }
}

}  // namespace

Result<Report> replay(const trace::Document& document, pipeline::PipelineCache& pipelines,
                      const ReplayOptions& options) {
  if (const Result<void> detail = check_detail(document); !detail) return detail.error();
  const Result<TraceTables> tables = load_tables(document);
  if (!tables) return tables.error();
  const Result<ReplayPlan> plan = make_plan(document, *tables, options.range);
  if (!plan) return plan.error();
  const std::shared_ptr<device::Device>& device = pipelines.device();
  Result<BufferTable> buffers = BufferTable::create(document, *tables, *plan, *device);
  if (!buffers) return buffers.error();
  const auto on_built = [&](size_t done) {
    if (options.on_progress) options.on_progress({"kernel", done, plan->kernels.size()});
  };
  Result<KernelSet> kernels =
      build_kernels({document, *tables, *plan, options.replacements, on_built}, pipelines);
  if (!kernels) return kernels.error();
  Report report{.commands = plan->commands,
                .kernels = plan->kernels.size(),
                .buffers = plan->buffers.size(),
                .peak_bytes = plan->peak_bytes,
                .earlier = plan->earlier.size(),
                .notes = kernels->notes,
                .device = device->name(),
                .captured_device = document.fact("device_name").value_or("")};
  add_document_notes(document, *plan, report);
  Replayer replayer(document, *tables, *plan, *kernels, *buffers, options, device);
  if (const Result<void> done = replayer.run(report); !done) return done.error();
  return report;
}

}  // namespace assay::replay
