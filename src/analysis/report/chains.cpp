// See chains.h.
#include "analysis/report/chains.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

namespace assay::analysis {
namespace {

using trace::Id;

// Sets of numbers that grow together.
class Sets {
 public:
  explicit Sets(size_t count) : parents_(count) { std::iota(parents_.begin(), parents_.end(), 0); }
  size_t find(size_t each) {
    while (parents_[each] != each) each = parents_[each] = parents_[parents_[each]];
    return each;
  }
  void join(size_t a, size_t b) { parents_[find(a)] = find(b); }

 private:
  std::vector<size_t> parents_;
};

struct Edge {
  size_t from, to;  // the command that wrote, the one that reads
};

// compile joins what has the same elements.
bool could_join(const TimedCommand& from, const TimedCommand& to) {
  return from.evaluation == to.evaluation && from.id < to.id &&
         (from.bytes_written == to.bytes_written ||
          (from.threads != 0 && from.threads == to.threads));
}

// What launching the second takes behind the first.
int64_t time_between(const TimedCommand& first, const TimedCommand& second) {
  constexpr int64_t kMostLaunch_ns = 10'000;  // beyond that somebody waited for something else
  const int64_t between = second.time.begin - first.time.end;
  const bool follow = first.command_buffer == second.command_buffer && between > 0;
  return follow && between < kMostLaunch_ns ? between : 0;
}

void measure(const std::vector<Edge>& edges, const std::vector<const TimedCommand*>& all,
             const std::vector<size_t>& members, Chain& chain) {
  int64_t written_inside = 0, read_inside = 0, read = 0;
  std::map<size_t, bool> has_reader;
  for (const size_t member : members) {
    has_reader[member] = false;
    if (!chain.commands.empty()) {
      chain.between_ns += time_between(*chain.commands.back(), *all[member]);
    }
    chain.commands.push_back(all[member]);
    chain.time_ns += all[member]->time.length();
    chain.bytes += all[member]->bytes();
    read += all[member]->bytes_read;
  }
  for (const Edge& edge : edges) {
    if (!has_reader.contains(edge.from) || !has_reader.contains(edge.to)) continue;
    has_reader[edge.from] = true;
    read_inside += all[edge.from]->bytes_written;
  }
  for (const auto& [member, is_read] : has_reader) {
    if (is_read) written_inside += all[member]->bytes_written;
  }
  const int64_t saved = written_inside + std::min(read_inside, read);
  chain.fused_bytes = std::max<int64_t>(0, chain.bytes - saved);
}

}  // namespace

std::vector<Chain> find_chains(const Timeline& timeline, const Activity& activity) {
  std::vector<const TimedCommand*> all;
  std::unordered_map<Id, size_t> numbers;
  for (const TimedCommand* command : activity.commands) {
    if (command->role != trace::CommandRole::kElementwise) continue;
    numbers.emplace(command->id, all.size());
    all.push_back(command);
  }
  Sets sets(all.size());
  std::vector<Edge> edges;
  for (size_t to = 0; to < all.size(); ++to) {
    const auto reads = timeline.reads_from.find(all[to]->id);
    if (reads == timeline.reads_from.end()) continue;
    for (const Id needs : reads->second) {
      const auto from = numbers.find(needs);
      if (from == numbers.end() || !could_join(*all[from->second], *all[to])) continue;
      edges.push_back({from->second, to});
      sets.join(from->second, to);
    }
  }
  std::map<size_t, std::vector<size_t>> members;
  for (size_t i = 0; i < all.size(); ++i) members[sets.find(i)].push_back(i);
  std::map<size_t, std::vector<Edge>> edges_of;
  for (const Edge& edge : edges) edges_of[sets.find(edge.to)].push_back(edge);
  std::vector<Chain> chains;
  for (const auto& [set, numbers_of_set] : members) {
    if (numbers_of_set.size() < 2) continue;
    Chain chain;
    measure(edges_of[set], all, numbers_of_set, chain);
    chains.push_back(std::move(chain));
  }
  return chains;
}

}  // namespace assay::analysis
