// See fusion.h.
#include "analysis/fusion.h"

#include <algorithm>
#include <map>
#include <optional>

namespace assay::analysis {
namespace {

constexpr std::string_view kCut = "_and_more";

// Of one name in both traces.
struct Change {
  const WorkTotals* before = nullptr;
  const WorkTotals* after = nullptr;
  int64_t gone = 0;  // dispatches that only `before` has and no fusion explains yet
};

using Changes = std::map<std::string_view, Change>;

Changes join(std::span<const WorkTotals> before, std::span<const WorkTotals> after) {
  Changes changes;
  for (const WorkTotals& work : before) {
    if (work.is_kernel) changes[work.name].before = &work;
  }
  for (const WorkTotals& work : after) {
    if (work.is_kernel) changes[work.name].after = &work;
  }
  for (auto& [name, change] : changes) {
    const int64_t now = change.after ? change.after->time.count() : 0;
    if (change.before) change.gone = std::max<int64_t>(0, change.before->time.count() - now);
  }
  return changes;
}

// The name as names of kernels that vanished, joined by '_': the fewest. Nothing when it is none.
std::optional<std::vector<std::string>> split(std::string_view name, const Changes& changes) {
  // best[i]: for the first i characters.
  std::vector<std::optional<std::vector<std::string>>> best(name.size() + 1);
  best[0].emplace();
  for (size_t end = 1; end <= name.size(); ++end) {
    if (end < name.size() && name[end] != '_') continue;
    for (size_t begin = 0; begin < end; ++begin) {
      if (begin > 0 && name[begin - 1] != '_') continue;
      const size_t before = begin == 0 ? 0 : begin - 1;
      if (!best[before] || (begin == 1)) continue;
      const auto change = changes.find(name.substr(begin, end - begin));
      if (change == changes.end() || change->second.gone == 0) continue;
      if (best[end] && best[end]->size() <= best[before]->size() + 1) continue;
      best[end] = best[before];
      best[end]->emplace_back(change->first);
    }
  }
  return best[name.size()];
}

// Takes what the fused kernel replaces out of what is gone.
Fusion explain(const WorkTotals& fused, int64_t count, std::vector<std::string> parts,
               Changes& changes) {
  Fusion fusion{.fused = fused.name, .parts = std::move(parts), .fused_count = count};
  auto share = [](int64_t sum, int64_t part, int64_t whole) {
    return static_cast<int64_t>(static_cast<double>(sum) * static_cast<double>(part) /
                                static_cast<double>(whole));
  };
  fusion.fused_time = share(fused.time.total(), count, fused.time.count());
  fusion.fused_bytes = share(fused.bytes(), count, fused.time.count());
  for (const std::string& part : fusion.parts) {
    Change& change = changes.at(part);
    const int64_t taken = std::min(change.gone, count);
    change.gone -= taken;
    fusion.parts_count += taken;
    fusion.parts_time += share(change.before->time.total(), taken, change.before->time.count());
    fusion.parts_bytes += share(change.before->bytes(), taken, change.before->time.count());
  }
  return fusion;
}

}  // namespace

std::vector<Fusion> find_fusions(std::span<const WorkTotals> before,
                                 std::span<const WorkTotals> after) {
  Changes changes = join(before, after);
  std::vector<Fusion> fusions;
  for (const WorkTotals& work : after) {
    if (!work.is_kernel) continue;
    const Change& change = changes.at(work.name);
    const int64_t count = work.time.count() - (change.before ? change.before->time.count() : 0);
    if (count <= 0) continue;
    std::string_view name = work.name;
    const bool has_more = name.ends_with(kCut);
    if (has_more) name.remove_suffix(kCut.size());
    auto parts = split(name, changes);
    if (!parts || parts->size() < 2) continue;
    fusions.push_back(explain(work, count, std::move(*parts), changes));
    fusions.back().has_more = has_more;
  }
  return fusions;
}

}  // namespace assay::analysis
