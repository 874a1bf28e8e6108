// See launch_checker.h.
#include "sanitizer/launch_checker.h"

#include <algorithm>
#include <numeric>

#include "base/format.h"
#include "fmt/format.h"
#include "sanitizer/checks/arithmetic.h"
#include "sanitizer/checks/bounds.h"
#include "sanitizer/checks/initialised.h"
#include "sanitizer/command_finding.h"

namespace assay::sanitizer {
namespace {

// Addresses that the compiler could not foresee often lie in a row all the same, which is several
// times as fast to check.
kernel::LaneAccess find_stride(const kernel::LaneAccess& access, uint32_t lanes) {
  const uint64_t first = access.addresses[0];
  const uint64_t stride = access.addresses[1] - first;
  uint64_t differences = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    differences |= access.addresses[lane] - first - stride * lane;
  }
  if (differences != 0) return access;
  kernel::LaneAccess regular = access;
  regular.addresses = nullptr;
  regular.address = first;
  regular.stride = static_cast<int64_t>(stride);
  return regular;
}

// A step that visits every group once: any number without a common factor.
uint64_t make_step(uint64_t seed, uint64_t count) {
  uint64_t step = seed * 0x9E37'79B9'7F4A'7C15 % count;
  while (std::gcd(step, count) != 1) step = (step + 1) % count;
  return step == 0 ? 1 : step;
}

}  // namespace

LaunchChecker::LaunchChecker(const kernel::CommandDescription& command,
                             const kernel::CheckTable& table, const LaunchSetup& setup,
                             Finish finish)
    : command_(command),
      finish_(std::move(finish)),
      state_(std::make_unique<LaunchState>()),
      race_bytes_(setup.race_bytes),
      race_bytes_left_(setup.race_bytes),
      not_finite_(setup.checks) {
  state_->checks = setup.checks;
  state_->set_table(table);
  group_count_ = command.size.threadgroups_per_grid().count();
  if (setup.schedule_seed != 0 && group_count_ > 1) {
    order_step_ = make_step(setup.schedule_seed, group_count_);
    order_start_ = setup.schedule_seed % group_count_;
  }
  const std::vector<SlotUse> uses = find_slot_uses(table);
  threadgroup_use_ = uses[kThreadgroupUse];
  for (const kernel::BindingDescription& binding : command.bindings) {
    if (binding.kind != kernel::BindingKind::kThreadgroupMemory) add_buffer(binding, uses, setup);
  }
  const bool has_unknown = std::ranges::any_of(state_->facts, &SiteFacts::is_unknown);
  if (has_unknown && setup.list_memory) state_->device_memory = setup.list_memory();
  quick_checks_.resize(table.sites.size());
  set_quick_checks(/*is_threadgroup=*/false);
  if (setup.checks.has(Check::kRaces)) races_.begin_launch(*state_, group_count_);
  // The arena: static variables first, arguments behind, each on a cache line. Its size is known
  // when the first group begins, but memory must be there before.
  constexpr uint64_t kArgumentRoom = 64;
  uint64_t arena = command.kernel->static_threadgroup_bytes;
  for (const kernel::BindingDescription& binding : command.bindings) {
    if (binding.kind == kernel::BindingKind::kThreadgroupMemory)
      arena += binding.bytes + kArgumentRoom;
  }
  threadgroup_memory_.initialised.resize(arena + kArgumentRoom);
  threadgroup_memory_.races.begin(threadgroup_memory_.initialised.size(),
                                  threadgroup_use_.granule_shift());
}

void LaunchChecker::add_buffer(const kernel::BindingDescription& binding,
                               const std::vector<SlotUse>& uses, const LaunchSetup& setup) {
  MemoryObject& object = state_->objects[static_cast<int>(binding.slot)];
  object.start = reinterpret_cast<uint64_t>(binding.data);
  object.begin = object.start;
  object.end = object.start + binding.bytes;
  for (const kernel::ArrayDescription& array : command_.arrays) {
    if (array.slot != binding.slot) continue;
    object.array = &array;
    object.begin = object.start + static_cast<uint64_t>(array.low);
    object.end = object.start + static_cast<uint64_t>(array.high);
  }
  if (binding.kind != kernel::BindingKind::kBuffer) return;
  object.state = setup.state_of(binding);
  object.state_begin = reinterpret_cast<uint64_t>(binding.buffer.data());
  // Looking takes a fraction of a nanosecond per byte: only where the launch takes longer.
  constexpr uint64_t kBytesPerThread = 64;
  const uint64_t threads = command_.size.threads_per_grid().count();
  if (object.state != nullptr && binding.buffer.size() / kBytesPerThread <= threads) {
    object.state->find_complete();
  }
  if (object.state == nullptr || !setup.checks.has(Check::kRaces)) return;
  // One buffer may be bound to several slots, and is written if any of them is.
  SlotUse use;
  bool is_reached = false;
  for (const kernel::BindingDescription& other : command_.bindings) {
    is_reached |= &other == &binding;
    if (other.kind != kernel::BindingKind::kBuffer || other.buffer_id != binding.buffer_id)
      continue;
    if (!is_reached) {
      const MemoryObject& same = state_->objects[static_cast<int>(other.slot)];
      object.tracks_races = same.tracks_races;
      object.has_readers = same.has_readers;
      return;
    }
    SlotUse other_use = uses[other.slot];
    if (other.data != binding.data) other_use.own_bytes = 0;
    use.add(other_use);
  }
  object.tracks_races = use.is_written && !use.is_apart(command_.size.threads_per_grid()) &&
                        has_room_for(binding, use);
  object.has_readers = use.is_read;
  if (object.tracks_races) {
    object.state->races.begin(binding.buffer.size(), use.granule_shift());
  }
}

bool LaunchChecker::has_room_for(const kernel::BindingDescription& binding, const SlotUse& use) {
  const uint64_t needed = RaceCells::size_for(binding.buffer.size(), use.granule_shift());
  if (needed <= race_bytes_left_) {
    race_bytes_left_ -= needed;
    return true;
  }
  if (!left_out_.empty()) left_out_ += ", ";
  left_out_ +=
      fmt::format("'{}' (a buffer of {} needs {} more)", argument_name(command_, binding.slot),
                  base::format_bytes(binding.buffer.size()), base::format_bytes(needed));
  return false;
}

Result<void> LaunchChecker::finish() {
  if (Result<void> finished = finish_(*this); !finished || left_out_.empty()) return finished;
  return Error{fmt::format(
      "[check] kernel '{}': there is not enough memory to look for races in {}; such checks may "
      "take {} for a launch. Use smaller arrays, or leave races out (--checks all,-races; "
      "ASSAY_CHECK=all,-races)",
      command_.kernel->name, left_out_, base::format_bytes(race_bytes_))};
}

// Of sites in the threadgroup's memory, or of those in buffers.
void LaunchChecker::set_quick_checks(bool is_threadgroup) {
  for (size_t i = 0; i < quick_checks_.size(); ++i) {
    const SiteFacts& site = state_->facts[i];
    if (!is_access(state_->site(static_cast<uint32_t>(i)).kind) && !site.is_early) continue;
    if (site.object == ObjectTable::kNone || site.is_block) continue;
    if (LaunchChecker::is_threadgroup(site) != is_threadgroup) continue;
    quick_checks_[i] = find_quick_check(site);
  }
}

kernel::QuickCheck LaunchChecker::find_quick_check(const SiteFacts& site) const {
  const MemoryObject& object = state_->objects[site.object];
  const bool is_device_atomic = site.is_atomic && !object.is_threadgroup;
  const bool has_races =
      state_->checks.has(Check::kRaces) && (object.tracks_races || is_device_atomic);
  if (object.end - object.begin < site.bytes) return {};
  if (site.is_early) {
    return {.duties = kernel::QuickCheck::kMayDecide,
            .begin = object.begin,
            .last = object.end - object.begin - site.bytes};
  }
  const bool needs_values =
      (state_->checks.has(Check::kUninitialised) || state_->checks.has(Check::kUnwritten)) &&
      object.state != nullptr && !object.state->is_complete;
  const uint64_t flags =
      object.state == nullptr ? 0 : reinterpret_cast<uint64_t>(object.state->initialised.data());
  using kernel::QuickCheck;
  return {.duties = QuickCheck::kMayDecide | (needs_values ? QuickCheck::kLooksAtValues : 0) |
                    (has_races ? QuickCheck::kTells : 0),
          .begin = object.begin,
          .last = object.end - object.begin - site.bytes,
          .flags = flags - object.state_begin};
}

// With a seed, an order that neither starts at the first group nor goes on to its neighbour.
uint64_t LaunchChecker::group_at(uint64_t index) const {
  return static_cast<uint64_t>(
      (static_cast<unsigned __int128>(index) * order_step_ + order_start_) % group_count_);
}

void LaunchChecker::begin_group(const kernel::GroupContext& context) {
  const uint32_t* threads = context.threads_per_threadgroup;
  state_->group = context.group_number();
  state_->thread_count = threads[0] * threads[1] * threads[2];
  state_->has_parted = false;
  std::fill(threadgroup_memory_.initialised.begin(), threadgroup_memory_.initialised.end(), 0);

  const auto arena = reinterpret_cast<uint64_t>(context.threadgroup_memory);
  auto add = [&](int index, uint64_t begin, uint64_t end) {
    MemoryObject& object = state_->objects[index];
    object.start = object.begin = begin;
    object.end = end;
    object.is_threadgroup = true;
    object.state = &threadgroup_memory_;
    object.state_begin = arena;
    object.tracks_races = state_->checks.has(Check::kRaces) && threadgroup_use_.is_written;
  };
  add(ObjectTable::kVariables, arena, arena + command_.kernel->static_threadgroup_bytes);
  for (const kernel::BindingDescription& binding : command_.bindings) {
    if (binding.kind != kernel::BindingKind::kThreadgroupMemory) continue;
    const uint64_t begin = arena + context.threadgroup_offsets[binding.slot];
    add(ObjectTable::kThreadgroupBase + static_cast<int>(binding.slot), begin,
        begin + binding.bytes);
  }
  if (arena_ != arena) {
    arena_ = arena;
    set_quick_checks(/*is_threadgroup=*/true);
  }
  if (state_->checks.has(Check::kRaces)) {
    std::fill_n(state_->clocks.begin(), state_->thread_count, ThreadClock());
    // Allocates nothing: the size is that of the constructor.
    threadgroup_memory_.races.begin(threadgroup_memory_.initialised.size(),
                                    threadgroup_use_.granule_shift());
    races_.begin_group();
  }
  known_sweeps_.clear();
  barriers_.begin_group();
  not_finite_.begin_group();
  missing_lanes_.begin_group();
  if (watches_shared_) set_quick_checks(/*is_threadgroup=*/true);
  watches_shared_ = false;
  findings_before_group_ = state_->findings.size();
}

void LaunchChecker::end_group() {
  if (!state_->checks.has(Check::kBarriers)) return;
  const std::optional<uint32_t> parted_after = barriers_.end_group(*state_);
  if (!parted_after) return;
  auto is_race = [](const RawFinding& finding) {
    return finding.rule == RawRule::kRace || finding.rule == RawRule::kRaceSameValue;
  };
  bool has_cause = false;
  state_->findings.remove_from(findings_before_group_, [&](const RawFinding& finding) {
    const bool is_before = is_race(finding) && finding.epoch <= *parted_after;
    has_cause |= is_before;
    return finding.rule == RawRule::kUninitialised || (is_race(finding) && !is_before);
  });
  if (!has_cause) return;
  // Threads that read what others were just writing may well part: one mistake, one finding.
  state_->findings.remove_from(findings_before_group_, [](const RawFinding& finding) {
    return finding.rule == RawRule::kBarrierDivergence;
  });
}

uint32_t LaunchChecker::on_access(const kernel::LaneAccess& access) {
  const uint32_t lanes = count_row(access.mask);
  if (access.addresses == nullptr || lanes < 2) return check_access(access);
  return check_access(find_stride(access, lanes));
}

void LaunchChecker::on_fine_access(const kernel::LaneAccess& access) {
  const uint32_t row = access.addresses == nullptr ? 0 : count_row(access.mask);
  if (row < 2) return note_fine(access);
  note_fine(find_stride(access, row));
}

void LaunchChecker::note_fine(const kernel::LaneAccess& access) {
  const int object = state_->facts[access.site].object;
  watch(access, access.mask,
        [&](uint32_t lanes) { races_.on_access(*state_, access, object, lanes); });
}

template <typename Sweep>
bool LaunchChecker::check_sweep(const Sweep& sweep) {
  const SiteFacts& site = state_->facts[sweep.site];
  if (site.object == ObjectTable::kNone || (watches_shared_ && is_threadgroup(site))) return false;
  const bool watches_races = state_->checks.has(Check::kRaces);
  const SweepMoment moment = watches_races ? races_.moment_of(*state_, sweep) : SweepMoment();
  if (known_sweeps_.holds(sweep, moment)) return true;
  SweepLines lines;
  if (!find_lines(*state_, sweep, lines)) return false;
  if (!is_threadgroup(site)) fetch_ahead(sweep, lines);
  if (state_->checks.has(Check::kUninitialised) && !have_values(*state_, sweep, lines))
    return false;
  using Passage = RaceCheck::Passage;
  const Passage passage =
      watches_races ? races_.pass_sweep(*state_, sweep, lines) : Passage::kShared;
  if (passage == Passage::kShared) known_sweeps_.add(sweep, moment);
  return passage != Passage::kDisputed;
}

uint32_t LaunchChecker::check_access(const kernel::LaneAccess& access) {
  if (state_->facts[access.site].is_unset) return pass_unset(*state_, access);
  const ResolvedAccess resolved = check_bounds(*state_, access);
  if (state_->facts[access.site].is_early) return resolved.inside;
  watch_shared(access, resolved.inside);
  if (resolved.object != ObjectTable::kNone) {
    watch(access, resolved.inside,
          [&](uint32_t lanes) { watch_lanes(access, resolved.object, lanes); });
    return resolved.inside;
  }
  // Lanes in different objects: one by one.
  const uint64_t bytes = state_->facts[access.site].bytes;
  for_each_lane(resolved.inside, [&](uint32_t lane) {
    const int object = state_->objects.find(access.lane_address(lane), bytes);
    if (object != ObjectTable::kNone) watch_lanes(access, object, 1U << lane);
  });
  return resolved.inside;
}

// Lanes that all read one element tell no more than two of them do, unless something is wrong.
template <typename Watch>
void LaunchChecker::watch(const kernel::LaneAccess& access, uint32_t lanes,
                          const Watch& watch_those) {
  if (lanes == 0) return;
  const SiteFacts& site = state_->facts[access.site];
  const bool is_one_place = access.addresses == nullptr && access.stride == 0;
  const uint32_t rest = lanes & (lanes - 1) & ((lanes & (lanes - 1)) - 1);
  if (!is_one_place || site.writes || rest == 0) return watch_those(lanes);
  const uint64_t before = state_->findings.total();
  watch_those(lanes & ~rest);
  if (state_->findings.total() != before) watch_those(rest);
}

void LaunchChecker::watch_lanes(const kernel::LaneAccess& access, int object, uint32_t lanes) {
  if (state_->facts[access.site].misaligned_bits != 0 && state_->checks.has(Check::kAlignment)) {
    check_alignment(*state_, access, lanes);
  }
  if (state_->checks.has(Check::kUninitialised) || state_->checks.has(Check::kUnwritten)) {
    check_initialised(*state_, access, object, lanes, state_->checks.has(Check::kUninitialised));
  }
  if (state_->checks.has(Check::kRaces)) races_.on_access(*state_, access, object, lanes);
}

void LaunchChecker::on_condition(const kernel::LaneEvent& event, const uint64_t* values) {
  const kernel::SiteKind kind = state_->site(event.site).kind;
  if (kind == kernel::SiteKind::kMissingLane) return missing_lanes_.on_taken(event, values);
  if (kind == kernel::SiteKind::kMissingLaneUse) return missing_lanes_.on_use(*state_, event);
  if (!NotFiniteCheck::concerns(kind)) return check_condition(*state_, event, values);
  not_finite_.on_condition(*state_, event, values);
  if (!not_finite_.has_shared() || watches_shared_) return;
  // From now on code asks about every read of threadgroup memory.
  watches_shared_ = true;
  for (size_t i = 0; i < quick_checks_.size(); ++i) {
    const SiteFacts& site = state_->facts[i];
    if (site.reads && is_threadgroup(site)) quick_checks_[i] = {};
  }
}

bool LaunchChecker::is_threadgroup(const SiteFacts& site) {
  return site.object >= ObjectTable::kThreadgroupBase;
}

void LaunchChecker::watch_shared(const kernel::LaneAccess& access, uint32_t lanes) {
  const SiteFacts& site = state_->facts[access.site];
  if (!not_finite_.has_shared() || !site.reads || !is_threadgroup(site)) return;
  for_each_lane(lanes, [&](uint32_t lane) {
    not_finite_.on_shared_read(access.site, access.first_thread + lane, access.lane_address(lane),
                               site.bytes);
  });
}

void LaunchChecker::on_barrier(const kernel::LaneEvent& event) {
  if (state_->checks.has(Check::kRaces)) races_.on_barrier(*state_, event);
  if (state_->checks.has(Check::kBarriers)) barriers_.on_barrier(*state_, event);
}

}  // namespace assay::sanitizer
