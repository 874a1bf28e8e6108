// Times of commands, gathered by kernel.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "replay/report.h"
#include "trace/records.h"

namespace assay::replay {

class CommandTimes {
 public:
  // `runs_ns` has at least one time.
  void add(const std::string& name, const trace::CommandRecord& command,
           std::vector<double> runs_ns);
  // The longest first.
  std::vector<KernelTime> summarize() const;

 private:
  struct Row {
    std::vector<double> captured_ns;
    std::vector<double> replayed_ns;
    uint64_t bytes = 0;
  };
  using Key = std::pair<std::string, trace::CommandKind>;  // a kernel may be called "copy"
  std::map<Key, Row> rows_;
};

}  // namespace assay::replay
