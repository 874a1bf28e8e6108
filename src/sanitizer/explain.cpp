// See explain.h.
#include "sanitizer/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sanitizer/accessed_memory.h"
#include "sanitizer/command_finding.h"
#include "sanitizer/padded_vectors.h"
#include "sanitizer/source_text.h"

namespace assay::sanitizer {
namespace {

using kernel::CheckSite;
using kernel::SiteMemory;

// The threads of a launch by their numbers.
ThreadPlace thread_place(const RawThread& thread, const kernel::LaunchSize& size) {
  ThreadPlace place;
  std::ranges::copy(size.position_in_grid(thread.group, thread.thread), place.grid);
  const uint32_t full[3] = {size.threadgroup.x, size.threadgroup.y, size.threadgroup.z};
  for (int axis = 0; axis < 3; ++axis) {
    place.threadgroup[axis] = place.grid[axis] / full[axis];
    place.thread[axis] = place.grid[axis] % full[axis];
  }
  return place;
}

std::string thread_text(const ThreadPlace& thread) {
  return fmt::format("thread ({})", fmt::join(thread.thread, ", "));
}

// "of the same threadgroup", "of threadgroup (1, 0, 0)".
std::string relative_thread(const ThreadPlace& other, const ThreadPlace& self) {
  const bool is_same = std::ranges::equal(other.threadgroup, self.threadgroup);
  return fmt::format("{} of {}", thread_text(other),
                     is_same ? std::string("the same threadgroup")
                             : fmt::format("threadgroup ({})", fmt::join(other.threadgroup, ", ")));
}

bool is_index_of_part(const CheckSite& site) {
  return site.kind == kernel::SiteKind::kArrayRead || site.kind == kernel::SiteKind::kArrayWrite;
}

class Explainer {
 public:
  explicit Explainer(const LaunchChecker& launch)
      : launch_(launch),
        command_(launch.command()),
        sources_(command_.kernel_origin, command_.origin),
        memory_(launch, sources_) {}

  Finding explain(const RawFinding& raw) {
    const CheckSite& site = this->site(raw.site);
    Finding finding = begin_finding(rule_of(raw), command_);
    finding.occurrences = raw.count;
    finding.place = sources_.place(site.place);
    if (raw.thread.thread != kNoThread) finding.thread = thread_place(raw.thread, command_.size);
    describe(raw, site, finding);
    add_callers(site, finding);
    return finding;
  }

  // An access outside of the whole object says more than its index outside of a part of it, unless
  // it is only the last row that others run out of as well.
  bool is_told_by_another(const RawFinding& raw) {
    const bool is_part = is_index_of_part(site(raw.site));
    return std::ranges::any_of(launch_.state().findings.entries(), [&](const RawFinding& other) {
      if (other.rule != raw.rule || is_index_of_part(site(other.site)) == is_part) return false;
      return is_part ? may_be_same(raw, other) && !is_of_last_row(other, raw)
                     : is_of_last_row(raw, other);
    });
  }

  // Causes first. Threads race where a barrier misses some of them, and where indices go wrong;
  // what nobody has written yet is often written too late: then the race is what to mend.
  int turn_of(const RawFinding& raw) const {
    switch (raw.rule) {
      case RawRule::kBarrierDivergence:
      case RawRule::kUnsetVariable:
      case RawRule::kIndexWrap: return 0;
      case RawRule::kReadOutside:
      case RawRule::kWriteOutside: return is_index_of_part(site(raw.site)) ? 0 : 2;
      case RawRule::kRace: return 1;
      default: return 2;
    }
  }

 private:
  const CheckSite& site(uint32_t number) const { return launch_.state().site(number); }

  bool may_be_same(const RawFinding& part, const RawFinding& whole) const {
    const kernel::SitePlace& place = site(part.site).place;
    return site(whole.site).place.line == place.line && site(whole.site).place.file == place.file;
  }

  // More accesses leave their part of the array than the array itself.
  bool is_of_last_row(const RawFinding& whole, const RawFinding& part) {
    if (part.count <= whole.count || !may_be_same(part, whole)) return false;
    const std::string name = sources_.name_at(site(part.site).place);
    return !name.empty() && name == memory_.place(whole, site(whole.site)).name;
  }

  // The other access of a race; null where it is not known.
  const CheckSite* other_site(const RawFinding& raw) const {
    return raw.other_site == kNoSite ? nullptr : &site(raw.other_site);
  }

  // Both accesses of a race are halves of updates of the same element.
  bool is_update(const RawFinding& raw) const {
    const CheckSite* other = other_site(raw);
    return site(raw.site).is_update && other != nullptr && other->is_update;
  }

  bool is_threadgroup(const RawFinding& raw) const {
    return raw.object >= 0 && launch_.state().objects[raw.object].is_threadgroup;
  }

  std::string_view rule_of(const RawFinding& raw) const {
    switch (raw.rule) {
      case RawRule::kReadOutside: return "bounds-read";
      case RawRule::kWriteOutside: return "bounds-write";
      case RawRule::kRace:
        if (is_update(raw)) return "race-update";
        return is_threadgroup(raw) ? "race-threadgroup" : "race-device";
      case RawRule::kRaceSameValue: return "race-same-value";
      case RawRule::kUninitialised:
        return is_threadgroup(raw) ? "uninitialised-threadgroup" : "uninitialised-device";
      case RawRule::kBarrierDivergence: return "barrier-divergence";
      case RawRule::kMisaligned: return "misaligned-access";
      case RawRule::kUnsetVariable: return "uninitialised-thread";
      case RawRule::kMissingLane: return "missing-lane";
      case RawRule::kDivision: return "division-by-zero";
      case RawRule::kShift: return "shift-out-of-range";
      case RawRule::kIndexWrap: return "index-wrap";
      case RawRule::kNotFinite: return "not-finite";
    }
    return {};
  }

  void describe(const RawFinding& raw, const CheckSite& site, Finding& finding) {
    switch (raw.rule) {
      case RawRule::kReadOutside:
      case RawRule::kWriteOutside: return describe_outside(raw, site, finding);
      case RawRule::kRace:
      case RawRule::kRaceSameValue: return describe_race(raw, site, finding);
      case RawRule::kUninitialised: return describe_uninitialised(raw, site, finding);
      case RawRule::kUnsetVariable: return describe_unset(raw, site, finding);
      case RawRule::kMissingLane: return describe_missing_lane(raw, finding);
      case RawRule::kBarrierDivergence: return describe_divergence(raw, finding);
      case RawRule::kMisaligned: return describe_misaligned(raw, site, finding);
      case RawRule::kDivision:
        finding.message = fmt::format("divides {} by zero", static_cast<int64_t>(raw.values[0]));
        finding.fix = "test the divisor before the division";
        return;
      case RawRule::kShift:
        finding.message = fmt::format("shifts a number of {} bits by {}", raw.values[1],
                                      static_cast<int64_t>(raw.values[0]));
        finding.fix = fmt::format("shift by 0 to {}", raw.values[1] - 1);
        return;
      case RawRule::kIndexWrap: return describe_wrap(raw, site, finding);
      case RawRule::kNotFinite: return describe_not_finite(raw, finding);
    }
  }

  static void describe_wrap(const RawFinding& raw, const CheckSite& site, Finding& finding) {
    const std::string index =
        site.object.empty() ? "the index" : fmt::format("the index of '{}'", site.object);
    const auto wrapped = static_cast<int64_t>(raw.values[0]);
    const auto exact = static_cast<int64_t>(raw.values[1]);
    if (exact < 0 && exact >= INT32_MIN) {
      finding.message =
          fmt::format("{} went below zero, to {}, and wrapped around to {}", index, exact, wrapped);
      finding.fix = "compare with 0 first: no type makes an index below zero right";
      return;
    }
    finding.message =
        fmt::format("{} does not fit {} and wrapped around to {}", index, site.type, wrapped);
    finding.fix = "compute it in 64 bits: cast an operand to size_t or long first";
  }

  // A pointer that was chosen at run time, far from everything that it may point to.
  static void describe_nowhere(bool writes, Finding& finding) {
    finding.message = fmt::format("{} memory that belongs to no argument of the kernel",
                                  writes ? "writes" : "reads");
    finding.fix = "compare the index with the size of each array that the pointer may point to";
  }

  // An element of an array in an array or struct, which is another one's.
  void describe_other_array(const RawFinding& raw, const CheckSite& site, Finding& finding) {
    const std::string name = sources_.name_at(site.place);
    finding.message = fmt::format("{} element {} of an array of {}{}",
                                  raw.rule == RawRule::kWriteOutside ? "writes" : "reads",
                                  static_cast<int64_t>(raw.values[0]), raw.values[1],
                                  name.empty() ? "" : fmt::format(" inside of '{}'", name));
    finding.fix = fmt::format("every dimension has its own limit: keep this index between 0 and {}",
                              raw.values[1] - 1);
  }

  void describe_outside(const RawFinding& raw, const CheckSite& site, Finding& finding) {
    const bool writes = raw.rule == RawRule::kWriteOutside;
    if (is_index_of_part(site)) return describe_other_array(raw, site, finding);
    MemoryPlace place = memory_.place(raw, site);
    if (raw.object < 0 && place.object_bytes == 0) return describe_nowhere(writes, finding);
    const int64_t index = place.index();
    finding.message =
        fmt::format("{} {} {} of {}", writes ? "writes" : "reads",
                    place.element_bytes == 0 ? "byte" : "element", index, object_text(place));
    const uint64_t count = place.object_bytes / std::max<uint64_t>(place.element_bytes, 1);
    if (const std::optional<int64_t> wrapped = memory_.find_below_zero(raw, place)) {
      finding.message += fmt::format("; the index is {} in 32 bits without a sign", *wrapped);
      finding.fix = "the unsigned index went below zero: compare before you subtract";
    } else if (index < 0) {
      finding.fix = "the index is negative: compare it with 0 before the access";
    } else if (holds_padded_vectors(memory_.find_argument(raw.object), dtype_bytes(place.type)) &&
               place.shape.back() == 3) {
      finding.fix =
          "use a packed type (packed_float3): vectors of three take as much memory as those of "
          "four";
    } else if (place.space == "device" || place.space == "constant") {
      finding.fix =
          fmt::format("return early, or access only while the index is less than {}", count);
    } else {
      finding.fix = fmt::format(
          "make the array larger, or access only while the index is less than {}", count);
    }
    finding.memory = std::move(place);
  }

  void describe_race(const RawFinding& raw, const CheckSite& site, Finding& finding) {
    MemoryPlace place = memory_.place(raw, site);
    const CheckSite* other = other_site(raw);
    std::string whom = "another thread";
    std::optional<ThreadPlace> other_thread;
    bool is_foreign = !is_threadgroup(raw);
    if (!is_foreign) whom += " of the same threadgroup";
    if (raw.other_thread.thread != kNoThread) {
      other_thread = thread_place(raw.other_thread, command_.size);
      whom = relative_thread(*other_thread, *finding.thread);
      is_foreign = raw.other_thread.group != raw.thread.group;
    }
    const bool is_counted = other != nullptr && other->kind == kernel::SiteKind::kAtomicUpdate;
    const char* other_verb = !raw.other_is_write ? "reads" : is_counted ? "updates" : "writes";
    if (raw.rule == RawRule::kRaceSameValue) {
      finding.message =
          fmt::format("writes the same value to {} as {}", memory_.element_text(place, site), whom);
      finding.fix = "let one thread write it, or suppress this if it is meant";
    } else {
      const bool updates = is_update(raw) || site.kind == kernel::SiteKind::kAtomicUpdate;
      const char* verb = updates ? "updates" : is_write(site.kind) ? "writes" : "reads";
      finding.message = fmt::format("{} {} while {} {} it", verb, memory_.element_text(place, site),
                                    whom, other_verb);
      finding.fix = race_fix(raw, is_foreign);
    }
    if (other != nullptr) {
      finding.related.push_back({fmt::format("{} {} it here", whom, other_verb),
                                 sources_.place(other->place), other_thread});
    }
    finding.memory = std::move(place);
  }

  std::string race_fix(const RawFinding& raw, bool is_foreign) const {
    const CheckSite* other = other_site(raw);
    const bool is_mixed =
        other != nullptr && is_atomic(site(raw.site).kind) != is_atomic(other->kind);
    if (is_mixed) return "use atomic functions for both accesses, or put a barrier between them";
    if (is_update(raw)) {
      const char* rest =
          is_threadgroup(raw)
              ? ", or give each thread its own element and combine them behind a barrier"
              : " (atomic_outputs=True in metal_kernel)";
      return fmt::format("use atomic_fetch_add_explicit or a relative of it{}", rest);
    }
    if (!is_foreign) {
      const char* memory = is_threadgroup(raw) ? "threadgroup" : "device";
      const bool is_one_simdgroup = raw.other_thread.thread != kNoThread &&
                                    raw.other_thread.thread / kernel::kSimdgroupWidth ==
                                        raw.thread.thread / kernel::kSimdgroupWidth;
      return fmt::format(
          "put threadgroup_barrier(mem_flags::mem_{}) between the two accesses{}", memory,
          is_one_simdgroup ? " (simdgroup_barrier where only one simdgroup comes by)" : "");
    }
    return "threadgroups run in no order: give each its own elements, use atomics, or use two "
           "dispatches";
  }

  void describe_uninitialised(const RawFinding& raw, const CheckSite& site, Finding& finding) {
    MemoryPlace place = memory_.place(raw, site);
    finding.message =
        fmt::format("reads {}, which nobody has written", memory_.element_text(place, site));
    finding.fix = is_threadgroup(raw)
                      ? "write every element that is read, then wait at a threadgroup_barrier"
                      : "give the buffer values first (init_value in metal_kernel)";
    finding.memory = std::move(place);
  }

  // The compiler puts a number behind the names of variables that share theirs with others.
  std::string written_name(const CheckSite& site) {
    const std::string name = site.object.substr(0, site.object.find_last_not_of("0123456789") + 1);
    const bool is_there = sources_.name_at(site.place) == name;
    if (!is_there && sources_.has_word(site.place.file, site.object)) return site.object;
    return is_there || sources_.has_word(site.place.file, name) ? name : site.object;
  }

  void describe_unset(const RawFinding& raw, const CheckSite& site, Finding& finding) {
    const std::string name = written_name(site);
    const uint64_t index = raw.values[0];
    const bool is_part = raw.values[1] > 1;
    finding.message =
        fmt::format("reads {}'{}', which has no value yet",
                    is_part ? fmt::format("element {} of ", index) : std::string(), name);
    finding.fix = fmt::format("give '{}' a value where it is declared", name);
  }

  void describe_missing_lane(const RawFinding& raw, Finding& finding) {
    finding.message =
        raw.values[0] < kernel::kSimdgroupWidth
            ? fmt::format("takes the value of lane {}, which is not active here", raw.values[0])
            : std::string("takes the value of a lane that does not exist");
    const CheckSite& use = site(raw.other_site);
    if (use.place.line != site(raw.site).place.line) {
      finding.related.push_back(
          {"and what depends on it is stored here", sources_.place(use.place)});
    }
    finding.fix =
        "let all lanes come here (move it out of the condition, launch whole simdgroups), or "
        "choose "
        "another value where the lane is not there";
  }

  void describe_divergence(const RawFinding& raw, Finding& finding) {
    const ThreadPlace other = thread_place(raw.other_thread, command_.size);
    const bool is_simdgroup = site(raw.site).kind == kernel::SiteKind::kSimdgroupBarrier;
    if (raw.other_site == kNoSite) {
      finding.message = fmt::format("{} never reaches this barrier{}, where {} waits",
                                    thread_text(*finding.thread),
                                    is_simdgroup ? " of its simdgroup" : "", thread_text(other));
    } else {
      finding.message = fmt::format("{} waits here while {} waits at another barrier",
                                    thread_text(*finding.thread), thread_text(other));
      finding.related.push_back({fmt::format("{} waits here", thread_text(other)),
                                 sources_.place(site(raw.other_site).place), other});
      add_callers(site(raw.other_site), finding);
    }
    finding.fix = fmt::format(
        "let all threads of the {} reach it: move it out of the condition or loop, and do not "
        "return before it",
        is_simdgroup ? "simdgroup" : "threadgroup");
  }

  void add_callers(const CheckSite& of, Finding& finding) {
    for (const kernel::SitePlace& caller : of.callers) {
      finding.related.push_back({"called from here", sources_.place(caller)});
    }
  }

  void describe_misaligned(const RawFinding& raw, const CheckSite& site, Finding& finding) {
    MemoryPlace place = memory_.place(raw, site);
    finding.message =
        fmt::format("{} {} at byte {}, but its type must lie at multiples of {} bytes",
                    is_write(site.kind) ? "writes" : "reads",
                    place.name.empty() ? "memory" : fmt::format("'{}'", place.name), raw.offset,
                    site.alignment);
    finding.fix = "use a packed type (packed_float4) or load the elements one by one";
    finding.memory = std::move(place);
  }

  void describe_not_finite(const RawFinding& raw, Finding& finding) {
    const CheckSite& store = site(raw.other_site);
    const bool is_of_finite = raw.values[1] != 0;
    finding.message = fmt::format("makes {} out of {}", raw.values[0] != 0 ? "NaN" : "infinity",
                                  is_of_finite ? "finite numbers" : "infinity");
    const bool is_same = store.place.line == site(raw.site).place.line;
    if (!is_same) {
      const bool is_stored = store.memory != SiteMemory::kNone;
      finding.related.push_back({is_stored ? "and stores it here"
                                 : store.role == kernel::FloatRole::kRunningSum
                                     ? "and adds it to a sum here"
                                     : "and makes an integer of it here",
                                 sources_.place(store.place)});
    }
    const bool is_half = site(raw.site).type == "half" || store.type == "half";
    finding.fix =
        is_of_finite && raw.values[0] == 0
            ? is_half ? "test the operands (a divisor or logarithm of 0), or "
                        "compute in float: half ends at 65504"
                      : "test the operands (a divisor, length or logarithm of 0)"
        : is_of_finite
            ? "test the operands (a divisor of 0, a logarithm or root of what is not positive)"
            : "test for infinity first: inf - inf, inf * 0 and inf / inf have no value (a softmax "
              "of "
              "a row that is masked as a whole, for example)";
  }

  const LaunchChecker& launch_;
  const kernel::CommandDescription& command_;
  SourceText sources_;
  AccessedMemory memory_;
};

}  // namespace

std::vector<Finding> explain(const LaunchChecker& launch) {
  Explainer explainer(launch);
  std::vector<Finding> findings;
  for (const int turn : {0, 1, 2}) {
    for (const RawFinding& raw : launch.state().findings.entries()) {
      if (explainer.turn_of(raw) != turn || explainer.is_told_by_another(raw)) continue;
      findings.push_back(explainer.explain(raw));
    }
  }
  if (const uint64_t lost = launch.state().findings.lost(); lost != 0) {
    findings.back().related.push_back(
        {fmt::format("and {} more findings at other places of this launch: mend these first", lost),
         findings.back().place});
  }
  return findings;
}

}  // namespace assay::sanitizer
