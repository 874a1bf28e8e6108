#include "analysis/report/chains.h"

#include <gtest/gtest.h>

namespace assay::analysis {
namespace {

constexpr int64_t kBytes = 4000;

// Commands of one evaluation, each 10 long; all belong to the window.
struct Graph {
  Timeline timeline;

  trace::Id add(std::vector<trace::Id> reads_from, int64_t inputs = 1,
                trace::CommandRole role = trace::CommandRole::kElementwise) {
    const auto id = static_cast<trace::Id>(timeline.commands.size() + 1);
    timeline.commands.push_back({.id = id,
                                 .command_buffer = 1,
                                 .time = {10 * id, 10 * id + 10},
                                 .role = role,
                                 .bytes_read = inputs * kBytes,
                                 .bytes_written = kBytes,
                                 .threads = 1000});
    timeline.reads_from[id] = std::move(reads_from);
    return id;
  }
  std::vector<Chain> chains() const {
    Activity activity;
    activity.window = {0, 1 << 20};
    for (const TimedCommand& each : timeline.commands) activity.commands.push_back(&each);
    return find_chains(timeline, activity);
  }
};

TEST(Chains, move_only_what_goes_in_and_comes_out) {
  Graph graph;
  const trace::Id a = graph.add({});
  const trace::Id b = graph.add({a});
  const trace::Id c = graph.add({b});
  graph.add({c});
  const std::vector<Chain> chains = graph.chains();
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_EQ(chains[0].commands.size(), 4U);
  EXPECT_EQ(chains[0].time_ns, 40);
  EXPECT_EQ(chains[0].bytes, 8 * kBytes);
  EXPECT_EQ(chains[0].fused_bytes, 2 * kBytes);
}

TEST(Chains, know_what_launching_takes_between_their_commands) {
  Graph graph;
  const trace::Id a = graph.add({});
  const trace::Id b = graph.add({a});
  graph.add({b});
  graph.timeline.commands[1].time = {33, 40};
  graph.timeline.commands[2].time = {50'000, 50'010};
  const std::vector<Chain> chains = graph.chains();
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_EQ(chains[0].between_ns, 13) << "the last one waited for something else";
}

TEST(Chains, take_in_branches) {
  Graph graph;
  const trace::Id a = graph.add({});
  const trace::Id b = graph.add({});
  graph.add({a, b}, 2);
  const std::vector<Chain> chains = graph.chains();
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_EQ(chains[0].fused_bytes, 3 * kBytes) << "two inputs and the result";
}

TEST(Chains, end_at_other_work) {
  Graph graph;
  const trace::Id a = graph.add({});
  const trace::Id product = graph.add({a}, 1, trace::CommandRole::kOperation);
  graph.add({product});
  graph.add({});
  EXPECT_TRUE(graph.chains().empty());
}

TEST(Chains, end_with_their_evaluation) {
  Graph graph;
  const trace::Id a = graph.add({});
  graph.add({a});
  graph.timeline.commands[1].evaluation = 2;
  EXPECT_TRUE(graph.chains().empty());
}

}  // namespace
}  // namespace assay::analysis
