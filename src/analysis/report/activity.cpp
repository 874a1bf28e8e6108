// See activity.h.
#include "analysis/report/activity.h"

#include <algorithm>

namespace assay::analysis {
namespace {

using trace::SpanKind;

// So many evaluations in a row without a compilation, and the program is warm.
constexpr size_t kCalmEvaluations = 3;
// A call of an op from Python. What takes longer between the first one and the evaluation is work
// of the program.
constexpr int64_t kMostBuild_ns = 2'000;

bool contains(const TimeRange& range, int64_t at) { return at >= range.begin && at < range.end; }

std::vector<Evaluation> find_evaluations(const Timeline& timeline) {
  std::vector<Evaluation> evaluations;
  for (const TimedSpan& span : timeline.spans) {
    if (span.kind == SpanKind::kEncode) evaluations.push_back({span.time, span.site});
  }
  if (evaluations.empty()) {
    trace::Id last = 0;
    for (const TimedCommand& command : timeline.commands) {
      if (evaluations.empty() || command.command_buffer != last) {
        evaluations.push_back({command.time, command.site});
      }
      last = command.command_buffer;
      evaluations.back().encode.end = std::max(evaluations.back().encode.end, command.time.end);
    }
  }
  // Both are in order; a compilation belongs to the last evaluation that began before its end.
  for (const TimedSpan& span : timeline.spans) {
    if (span.kind != SpanKind::kCompile) continue;
    auto next = std::ranges::upper_bound(evaluations, span.time.end, {},
                                         [](const Evaluation& each) { return each.encode.begin; });
    if (next != evaluations.begin()) std::prev(next)->has_compilation = true;
  }
  return evaluations;
}

// Where the steady part begins, as a number of evaluations. A program that compiles all the time
// has only its first evaluation to warm up.
size_t count_warm_up(const std::vector<Evaluation>& evaluations) {
  size_t calm = 0;
  for (size_t i = 0; i < evaluations.size() / 2; ++i) {
    calm = evaluations[i].has_compilation ? 0 : calm + 1;
    if (calm == kCalmEvaluations) return i + 1 - kCalmEvaluations;
  }
  return std::min<size_t>(1, evaluations.size());
}

void find_phases(const Timeline& timeline, const std::vector<Evaluation>& all, Activity& activity) {
  const int64_t first = timeline.commands.front().time.begin;
  int64_t last = first;
  for (const TimedCommand& each : timeline.commands) last = std::max(last, each.time.end);
  int64_t begin = std::min(timeline.kept_from, first);
  for (const TimedSpan& span : timeline.spans) begin = std::min(begin, span.time.begin);
  const size_t warm_up = count_warm_up(all);
  const bool has_steady = warm_up < all.size();
  // Until the device is done with the evaluations before.
  int64_t steady = has_steady ? std::max(all[warm_up].encode.begin, first) : last;
  steady = std::min(steady, last);
  activity.window = {steady, last};
  auto add = [&](const char* name, TimeRange range) {
    if (range.length() > 0) activity.phases.push_back({name, range});
  };
  add("start", {begin, std::min(first, steady)});
  add("warm-up", {first, steady});
  add("steady", {steady, last});
  add("end", {last, std::max(last, timeline.ended.value_or(last))});
  if (has_steady) {
    activity.evaluations.assign(all.begin() + static_cast<std::ptrdiff_t>(warm_up), all.end());
  }
}

void find_busy(const Timeline& timeline, Activity& activity) {
  std::vector<TimeRange> ranges;
  for (const TimedCommand& command : timeline.commands) {
    const TimeRange part{std::max(command.time.begin, activity.window.begin),
                         std::min(command.time.end, activity.window.end)};
    if (part.length() > 0) ranges.push_back(part);
    if (contains(activity.window, command.time.begin)) activity.commands.push_back(&command);
  }
  activity.busy = join_ranges(std::move(ranges));
  for (const TimeRange& range : activity.busy) activity.busy_ns += range.length();
  for (const TimedSpan& span : timeline.spans) {
    if (contains(activity.window, span.time.begin)) activity.spans.push_back(&span);
  }
}

// Host spans around gaps. Both lists are in order, so that one walk is enough.
class Surroundings {
 public:
  explicit Surroundings(const Timeline& timeline) : timeline_(timeline) {
    for (size_t i = 0; i < timeline.spans.size(); ++i) {
      const TimedSpan& span = timeline.spans[i];
      if (span.kind == SpanKind::kEncode)
        encodes_.push_back({span.time.begin, static_cast<int>(i)});
      // A wait that is a part of a read ends with it: the read says more.
      if (span.kind == SpanKind::kWait) ends_.push_back({span.time.end, static_cast<int>(i)});
      if (span.kind == SpanKind::kRead) ends_.push_back({span.time.end, static_cast<int>(i)});
    }
    std::ranges::sort(ends_);
  }

  void find(Gap& gap) const {
    // The next work is encoded in the gap; its beginning may even lie before it.
    const auto after = std::ranges::lower_bound(encodes_, std::pair(gap.time.end, -1));
    if (after != encodes_.begin()) gap.after = std::prev(after)->second;
    const auto before = std::ranges::lower_bound(ends_, std::pair(gap.time.end, -1));
    if (before != ends_.begin()) gap.before = std::prev(before)->second;
    const int64_t until =
        after != encodes_.end() ? after->first : timeline_.commands.back().time.end;
    gap.commands = count_commands({gap.time.end, until});
  }

 private:
  int64_t count_commands(const TimeRange& range) const {
    auto begin_of = [](const TimedCommand& command) { return command.time.begin; };
    const auto first = std::ranges::lower_bound(timeline_.commands, range.begin, {}, begin_of);
    const auto last = std::ranges::lower_bound(timeline_.commands, range.end, {}, begin_of);
    return std::max<int64_t>(0, last - first);
  }

  const Timeline& timeline_;
  std::vector<std::pair<int64_t, int>> encodes_;  // begin, index
  std::vector<std::pair<int64_t, int>> ends_;     // end, index
};

// The union of the host's spans of one kind, on whatever thread.
class HostTime {
 public:
  HostTime(const Timeline& timeline, SpanKind kind) {
    std::vector<TimeRange> ranges;
    for (const TimedSpan& span : timeline.spans) {
      if (span.kind == kind) ranges.push_back(span.time);
    }
    ranges_ = join_ranges(std::move(ranges));
  }
  int64_t inside(const TimeRange& range) const {
    auto each = std::ranges::upper_bound(ranges_, range.begin, {}, &TimeRange::end);
    int64_t sum = 0;
    for (; each != ranges_.end() && each->begin < range.end; ++each) {
      sum += std::min(each->end, range.end) - std::max(each->begin, range.begin);
    }
    return sum;
  }

 private:
  std::vector<TimeRange> ranges_;
};

void find_gaps(const Timeline& timeline, Activity& activity) {
  const Surroundings surroundings(timeline);
  const HostTime building(timeline, SpanKind::kBuild), encoding(timeline, SpanKind::kEncode),
      compiling(timeline, SpanKind::kCompile);
  int64_t from = activity.window.begin;
  auto add = [&](int64_t until) {
    if (until <= from) return;
    Gap gap{{from, until}};
    surroundings.find(gap);
    gap.build_ns = building.inside(gap.time);
    gap.compile_ns = compiling.inside(gap.time);
    gap.encode_ns = std::max<int64_t>(0, encoding.inside(gap.time) - gap.compile_ns);
    activity.gaps.push_back(gap);
  };
  for (const TimeRange& range : activity.busy) {
    add(range.begin);
    from = range.end;
  }
  add(activity.window.end);
}

}  // namespace

int64_t Gap::asking_ns() const { return encode_ns + std::min(build_ns, commands * kMostBuild_ns); }

std::vector<TimeRange> join_ranges(std::vector<TimeRange> ranges) {
  std::ranges::sort(ranges, {}, &TimeRange::begin);
  std::vector<TimeRange> joined;
  for (const TimeRange& range : ranges) {
    if (joined.empty() || range.begin > joined.back().end) {
      joined.push_back(range);
    } else {
      joined.back().end = std::max(joined.back().end, range.end);
    }
  }
  return joined;
}

Activity find_activity(const Timeline& timeline) {
  Activity activity;
  if (timeline.commands.empty()) return activity;
  find_phases(timeline, find_evaluations(timeline), activity);
  find_busy(timeline, activity);
  find_gaps(timeline, activity);
  return activity;
}

}  // namespace assay::analysis
