// See rules.h.
#include "sanitizer/rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace assay::sanitizer {
namespace {

constexpr std::array<std::string_view, kCheckCount> kNames = {
    "bounds",    "races",      "uninitialised", "unwritten", "barriers",
    "alignment", "arithmetic", "wrap",          "nonfinite", "ordering"};

constexpr std::array<std::string_view, 3> kSeverities = {"note", "warning", "error"};

constexpr Rule kRules[] = {
    {"bounds-read", Check::kBounds, Severity::kError, "Read outside of an object",
     "The thread reads memory that does not belong to the buffer, array or variable it indexes. "
     "Compare the index with the size before the access."},
    {"bounds-write", Check::kBounds, Severity::kError, "Write outside of an object",
     "The thread writes memory that does not belong to the buffer, array or variable it indexes. "
     "Compare the index with the size before the access."},
    {"race-threadgroup", Check::kRaces, Severity::kError, "Data race in threadgroup memory",
     "Two threads of a threadgroup use the same element, at least one writes it, and no barrier is "
     "between them. Put threadgroup_barrier(mem_flags::mem_threadgroup) between the accesses."},
    {"race-device", Check::kRaces, Severity::kError, "Data race in device memory",
     "Two threads use the same element of a buffer, at least one writes it, and nothing orders "
     "them. Threads of different threadgroups can only share memory through atomics."},
    {"race-update", Check::kRaces, Severity::kError, "Update without atomics",
     "Several threads read, change and write back the same element, so updates get lost. Use "
     "atomic_fetch_add_explicit and its relatives."},
    {"race-same-value", Check::kRaces, Severity::kNote, "Several threads write the same value",
     "The result does not depend on the order, but only one thread needs to write."},
    {"uninitialised-device", Check::kUninitialised, Severity::kError,
     "Read of device memory that nobody wrote",
     "The element has no value yet: neither the host nor an earlier access wrote it."},
    {"uninitialised-threadgroup", Check::kUninitialised, Severity::kError,
     "Read of threadgroup memory that nobody wrote",
     "Threadgroup memory has no initial value. Write every element that is read, then wait at a "
     "barrier."},
    {"uninitialised-thread", Check::kUninitialised, Severity::kError,
     "Read of a variable that has no value",
     "The thread reads a variable or an element of its own array before it wrote it. Give it a "
     "value "
     "where it is declared."},
    {"missing-lane", Check::kUninitialised, Severity::kError, "Value of a lane that takes no part",
     "A shuffle or broadcast takes the value of a lane that is not active there or does not exist, "
     "and what depends on it is stored. Let all lanes come there, or leave such values out."},
    {"output-unwritten", Check::kUnwritten, Severity::kError, "Output that was not written",
     "Elements of an output have no value after the dispatch. Launch enough threads, or give "
     "init_value."},
    {"barrier-divergence", Check::kBarriers, Severity::kError, "Barrier that not all threads reach",
     "Every thread of the threadgroup must reach the same barrier, and every thread of a simdgroup "
     "the same simdgroup_barrier. Move it out of conditions and loops that differ between threads, "
     "and do not return before it."},
    {"misaligned-access", Check::kAlignment, Severity::kError, "Misaligned access",
     "Vectors must lie at multiples of their alignment. Use packed types or single elements for "
     "data that does not."},
    {"division-by-zero", Check::kArithmetic, Severity::kError, "Integer division by zero",
     "The result is undefined. Test the divisor first."},
    {"shift-out-of-range", Check::kArithmetic, Severity::kError, "Shift out of range",
     "The amount is negative or not less than the width of the type, so the result is undefined."},
    {"index-wrap", Check::kWrap, Severity::kError, "Index that wraps around",
     "The index does not fit its type and wrapped around. Compute it in a wider or signed type."},
    {"not-finite", Check::kNotFinite, Severity::kWarning, "NaN or infinity that a kernel made",
     "An operation makes infinity out of finite numbers, or NaN out of numbers, and it was "
     "stored."},
    {"missing-ordering", Check::kOrdering, Severity::kError,
     "Dispatches that nothing orders use the same memory",
     "Commands of different queues use the same memory and one of them writes it. Signal an event "
     "after the first and wait for it before the second."},
};

}  // namespace

std::span<const Rule> rules() { return kRules; }

const Rule* find_rule(std::string_view id) {
  const Rule* found = std::ranges::find(kRules, id, &Rule::id);
  return found == std::end(kRules) ? nullptr : found;
}

std::string_view severity_name(Severity severity) {
  return kSeverities[static_cast<size_t>(severity)];
}

std::optional<Severity> find_severity(std::string_view name) {
  const auto* const found = std::ranges::find(kSeverities, name);
  if (found == kSeverities.end()) return std::nullopt;
  return static_cast<Severity>(found - kSeverities.begin());
}

std::string_view check_name(Check check) { return kNames[static_cast<size_t>(check)]; }

Result<CheckSet> parse_checks(std::string_view text) {
  CheckSet set;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    std::string_view name = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (name == "1" || name == "all") {
      set = CheckSet::all();
      continue;
    }
    const bool on = !name.starts_with('-');
    if (!on) name.remove_prefix(1);
    const auto* const found = std::ranges::find(kNames, name);
    if (found == kNames.end()) {
      return Error{fmt::format("[check] no check is called '{}'; there are all, {}", name,
                               fmt::join(kNames, ", "))};
    }
    set.set(static_cast<Check>(found - kNames.begin()), on);
  }
  return set;
}

}  // namespace assay::sanitizer
