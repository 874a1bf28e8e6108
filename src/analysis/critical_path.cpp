// See critical_path.h.
#include "analysis/critical_path.h"

#include <algorithm>

#include "analysis/query.h"
#include "analysis/spilled_values.h"
#include "analysis/wrapping.h"

namespace assay::analysis {
namespace {

using trace::Id;
using trace::Statement;

// Commands that are there, by id: a document of ours numbers them from 1 without holes. Of one that
// does not, only the commands that follow each other count.
class Chains {
 public:
  // In the order of ids.
  Result<void> add(Id id, int64_t duration, const SpilledValues::Value& longest_before) {
    if (chains_.size() == 0) first_ = id;
    is_dense_ = is_dense_ && wrapping_subtract(id, first_) == chains_.size();
    if (!is_dense_) return {};
    return chains_.push({wrapping_add(longest_before.time, std::max<int64_t>(duration, 0)),
                         longest_before.count + 1});
  }
  // Nothing for a command that is not there.
  Result<SpilledValues::Value> find(Id id) {
    if (id < first_ || wrapping_subtract(id, first_) >= chains_.size())
      return SpilledValues::Value{};
    return chains_.at(id - first_);
  }

 private:
  SpilledValues chains_;
  Id first_ = 0;
  bool is_dense_ = true;
};

// The longest chain among what each command needs; asked for ever higher commands.
class Needs {
 public:
  Needs(Statement rows, Chains& chains) : rows_(std::move(rows)), chains_(chains) {}

  Result<SpilledValues::Value> longest_before(Id command) {
    SpilledValues::Value longest;
    while (!is_done_) {
      if (!has_row_) {
        const Result<bool> row = rows_.step();
        if (!row) return row.error();
        has_row_ = *row;
        is_done_ = !*row;
        continue;
      }
      if (rows_.integer(0) > command) break;
      if (rows_.integer(0) == command && rows_.integer(1) < command) {
        const Result<SpilledValues::Value> chain = chains_.find(rows_.integer(1));
        if (!chain) return chain.error();
        if (chain->time > longest.time) longest = *chain;
      }
      has_row_ = false;
    }
    return longest;
  }

 private:
  Statement rows_;
  Chains& chains_;
  bool has_row_ = false;
  bool is_done_ = false;
};

}  // namespace

Result<CriticalPath> compute_critical_path(const trace::Document& document) {
  CriticalPath path;
  Chains chains;
  Result<Statement> rows =
      document.prepare("SELECT command, needs FROM dependencies ORDER BY command, needs");
  if (!rows) return rows.error();
  Needs needs(std::move(*rows), chains);
  Result<void> added;
  const Result<void> read = for_each_row(
      document, "SELECT id, CASE WHEN kind = 4 THEN 0 ELSE ended - started END FROM commands",
      [&](const Statement& row) {
        const Id id = row.integer(0);
        const int64_t duration = row.integer(1);
        ++path.all_commands;
        path.all_time = wrapping_add(path.all_time, duration);
        const Result<SpilledValues::Value> before = needs.longest_before(id);
        added = before ? chains.add(id, duration, *before) : Result<void>(before.error());
        if (!added) return false;
        if (wrapping_add(before->time, duration) > path.time) {
          path.time = wrapping_add(before->time, duration);
          path.commands = before->count + 1;
        }
        return true;
      });
  if (!read) return read.error();
  if (!added) return document.error(added.error().message);
  return path;
}

}  // namespace assay::analysis
