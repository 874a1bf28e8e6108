// See verifier.h.
#include "replay/verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "replay/command_scan.h"
#include "replay/compare_elements.h"

namespace assay::replay {
namespace {

using trace::BindingRecord;
using trace::CommandKind;
using trace::CommandRecord;
using Reason = InexactRanges::Reason;

// More are counted only.
constexpr size_t kMaxDifferences = 100;
// Runs that have to agree before a kernel counts as one that repeats.
constexpr int kTrials = 3;

InexactRanges::Range range_of(const BindingRecord& binding) {
  return {*binding.buffer, binding.range_begin, binding.range_end};
}

}  // namespace

std::string command_name(const CommandRecord& command, const TraceTables& tables) {
  switch (command.kind) {
    case CommandKind::kDispatch: return tables.kernels.at(*command.kernel).name;
    case CommandKind::kFill: return "fill";
    case CommandKind::kCopy: return "copy";
    case CommandKind::kMatrixProduct: return "matrix product";
    case CommandKind::kWait: return "wait";
    case CommandKind::kSignal: return "signal";
  }
  return {};
}

CommandName describe_command(const CommandRecord& command, const TraceTables& tables) {
  const Id queue = tables.command_buffers.at(command.command_buffer).queue;
  return {command.id,
          command.kind,
          command_name(command, tables),
          tables.texts.at(command.label),
          tables.texts.at(command.site),
          tables.queues.at(queue)};
}

std::optional<InexactRanges::Cause> Verifier::find_cause(const CommandRecord& command) const {
  std::optional<InexactRanges::Cause> worst;
  for (const BindingRecord& binding : command.bindings) {
    // What is written may also be read, or left as it was.
    if (!binding.buffer) continue;
    const auto cause = inexact_.find(range_of(binding));
    if (cause && (!worst || cause->reason == Reason::kDiffers)) worst = cause;
    if (worst && worst->reason == Reason::kDiffers) break;
  }
  return worst;
}

bool Verifier::varies(const CommandRecord& command, const Snapshot& before,
                      const std::function<bool()>& run_again) {
  const Snapshot first = take_snapshot(command, inputs_.buffers);
  bool is_same = true;
  for (int i = 1; i < kTrials && is_same; ++i) {
    restore(before, command, inputs_.buffers);
    is_same = run_again() && take_snapshot(command, inputs_.buffers) == first;
  }
  restore(first, command, inputs_.buffers);
  return !is_same;
}

Verifier::Freedom Verifier::find_freedom(const CommandRecord& command, const Snapshot& before,
                                         const std::optional<InexactRanges::Cause>& cause,
                                         const std::function<bool()>& run_again) {
  if (cause && cause->reason == Reason::kNotDeterministic) {
    return {fmt::format("reads what command {} left, which does not repeat", cause->command)};
  }
  if (command.kind == CommandKind::kMatrixProduct && inputs_.is_other_machine) {
    return {"this machine may add in another order"};
  }
  if (command.kind != CommandKind::kDispatch) return {};
  if (varies(command, before, run_again)) return {"gives something else each time", false};
  if (inputs_.kernels.kernels.at(*command.kernel).has_atomics) return {"uses atomics"};
  return {};
}

Result<std::optional<std::vector<std::byte>>> Verifier::find_captured(
    const CommandRecord& command, const BindingRecord& binding) const {
  using Found = std::optional<std::vector<std::byte>>;
  const int64_t size = binding.range_end - binding.range_begin;
  const auto same = inputs_.tables.contents.find(*binding.result);
  if (same != inputs_.tables.contents.end() &&
      inputs_.tables.content_bytes.at(same->second) == size) {
    Result<trace::Document::Content> content = inputs_.document.content(same->second, size);
    if (!content) return content.error();
    return Found(std::move(content->bytes));
  }
  const trace::BufferRecord& buffer = inputs_.tables.buffers.at(*binding.buffer);
  if (buffer.last_writer != command.id || !buffer.last_content) return Found();
  const Result<trace::Document::Content> content =
      inputs_.document.content(*buffer.last_content, buffer.bytes);
  if (!content) return content.error();
  if (content->bytes.size() < static_cast<size_t>(binding.range_end)) return Found();
  const auto begin = content->bytes.begin() + binding.range_begin;
  std::vector<std::byte> range(begin, begin + size);
  // The program may have changed the buffer behind the command.
  if (base::hash_content(range) != *binding.result) return Found();
  return Found(std::move(range));
}

ElementType Verifier::element_type(const CommandRecord& command,
                                   const BindingRecord& binding) const {
  std::optional<ElementType> type;
  if (binding.array) {
    type = find_dtype(inputs_.tables.arrays.at(*binding.array).dtype);
  } else if (command.kind == CommandKind::kDispatch) {
    for (const ReflectedArgument& argument :
         inputs_.kernels.kernels.at(*command.kernel).arguments) {
      if (argument.is_buffer && argument.slot == binding.slot) type = find_msl_type(argument.type);
    }
  } else if (command.kind == CommandKind::kMatrixProduct) {
    const auto product = parse_product(inputs_.tables.texts.at(*command.product));
    if (product && product->element == kernel::MatrixElement::kFloat32) {
      type = ElementType::kFloat32;
    } else if (product) {
      type = product->element == kernel::MatrixElement::kFloat64 ? ElementType::kFloat64
                                                                 : ElementType::kComplex64;
    }
  }
  const int64_t size = type ? static_cast<int64_t>(element_bytes(*type)) : 1;
  const bool is_whole = (binding.range_begin - binding.start) % size == 0 &&
                        (binding.range_end - binding.range_begin) % size == 0;
  return type && is_whole ? *type : ElementType::kByte;
}

Difference Verifier::describe(const CommandRecord& command, const BindingRecord& binding) const {
  const trace::BufferRecord& buffer = inputs_.tables.buffers.at(*binding.buffer);
  Difference difference{.command = describe_command(command, inputs_.tables),
                        .slot = binding.slot,
                        .buffer = buffer.id,
                        .buffer_label = inputs_.tables.texts.at(buffer.label),
                        .range_begin = binding.range_begin,
                        .range_end = binding.range_end,
                        .dtype = std::string(element_name(element_type(command, binding)))};
  if (binding.array) difference.array = inputs_.tables.arrays.at(*binding.array);
  if (command.kind != CommandKind::kDispatch) return difference;
  for (const ReflectedArgument& argument : inputs_.kernels.kernels.at(*command.kernel).arguments) {
    if (argument.is_buffer && argument.slot == binding.slot) difference.argument = argument.name;
  }
  return difference;
}

Place Verifier::locate(const BindingRecord& binding, ElementType type,
                       Comparison comparison) const {
  Place place{.comparison = std::move(comparison)};
  const auto size = static_cast<int64_t>(element_bytes(type));
  place.index =
      (binding.range_begin - binding.start) / size + static_cast<int64_t>(place.comparison.first);
  if (binding.array && type != ElementType::kByte) {
    place.coordinates = find_coordinates(inputs_.tables.arrays.at(*binding.array), place.index);
  }
  return place;
}

void Verifier::add_tolerated(const CommandRecord& command, const Freedom& freedom,
                             const Comparison& comparison, Report& report) {
  const std::string name = command_name(command, inputs_.tables);
  auto known = std::ranges::find(report.tolerated, name, &ToleratedKernel::name);
  if (known == report.tolerated.end()) {
    known = report.tolerated.insert(known, {name, freedom.reason});
  }
  ++known->commands;
  known->max_ulps = std::max(known->max_ulps, comparison.max_ulps.value_or(0));
}

Result<void> Verifier::check(const CommandRecord& command, const Snapshot& before,
                             const std::function<bool()>& run_again, Report& report) {
  std::vector<const BindingRecord*> wrong;
  for (const BindingRecord& binding : command.bindings) {
    if (!is_written(binding)) continue;
    if (base::hash_content(inputs_.buffers.range(binding)) != *binding.result) {
      wrong.push_back(&binding);
    }
  }
  Outcome worst = Outcome::kVerified;
  Judgement judgement;
  if (!wrong.empty()) {
    judgement.cause = find_cause(command);
    judgement.freedom = find_freedom(command, before, judgement.cause, run_again);
  }
  for (const BindingRecord& binding : command.bindings) {
    if (!is_written(binding)) continue;
    if (std::ranges::find(wrong, &binding) == wrong.end()) {
      inexact_.clear(range_of(binding));
      continue;
    }
    const Result<Outcome> outcome = check_binding(command, binding, judgement, report);
    if (!outcome) return outcome.error();
    worst = std::max(worst, *outcome);
  }
  ++report.outcomes[static_cast<size_t>(worst)];
  return {};
}

Result<Outcome> Verifier::check_binding(const CommandRecord& command, const BindingRecord& binding,
                                        const Judgement& judgement, Report& report) {
  const Freedom& freedom = judgement.freedom;
  const bool follows = judgement.cause && judgement.cause->reason == Reason::kDiffers;
  Result<std::optional<std::vector<std::byte>>> captured = find_captured(command, binding);
  if (!captured) return captured.error();
  Difference difference = describe(command, binding);
  difference.repeats = freedom.repeats;
  difference.outcome = follows ? Outcome::kFollows : Outcome::kDiffers;
  if (*captured) {
    const ElementType type = element_type(command, binding);
    Comparison comparison =
        compare_elements(type, **captured, inputs_.buffers.range(binding), inputs_.tolerance);
    if (freedom.is_free() && comparison.beyond_tolerance == 0) {
      difference.outcome = Outcome::kWithinTolerance;
      add_tolerated(command, freedom, comparison, report);
    }
    difference.place = locate(binding, type, std::move(comparison));
    put_back(binding, **captured);
  } else {
    if (freedom.is_free() && !follows) difference.outcome = Outcome::kNotComparable;
    const bool is_wrong = difference.outcome != Outcome::kNotComparable;
    inexact_.add(range_of(binding), {is_wrong ? Reason::kDiffers : Reason::kNotDeterministic,
                                     judgement.cause ? judgement.cause->command : command.id});
  }
  const Outcome outcome = difference.outcome;
  if (outcome == Outcome::kDiffers && report.differences.size() < kMaxDifferences) {
    report.differences.push_back(std::move(difference));
  }
  return outcome;
}

void Verifier::put_back(const BindingRecord& binding, const std::vector<std::byte>& captured) {
  const std::span<std::byte> range = inputs_.buffers.range(binding);
  if (!range.empty()) std::memcpy(range.data(), captured.data(), range.size());
  inexact_.clear(range_of(binding));
}

Result<void> Verifier::add_failure(const CommandRecord& command, std::string_view error,
                                   Report& report) {
  const bool is_new = !command.error;
  for (const BindingRecord& binding : command.bindings) {
    if (!is_written(binding)) continue;
    const Result<std::optional<std::vector<std::byte>>> captured = find_captured(command, binding);
    if (!captured) return captured.error();
    if (*captured) {
      put_back(binding, **captured);
    } else {
      inexact_.add(range_of(binding),
                   {is_new ? Reason::kDiffers : Reason::kNotDeterministic, command.id});
    }
  }
  const Outcome outcome = is_new ? Outcome::kFailed : Outcome::kNotComparable;
  ++report.outcomes[static_cast<size_t>(outcome)];
  if (!is_new || report.differences.size() >= kMaxDifferences) return {};
  report.differences.push_back({.command = describe_command(command, inputs_.tables),
                                .outcome = Outcome::kFailed,
                                .error = std::string(error)});
  return {};
}

}  // namespace assay::replay
