// The peers' program, seen from the benchmark that drives it.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "bench/contestant.h"

namespace assay::bench {

// Ends the program when destroyed.
class PeerProcess {
 public:
  // The program, searched in PATH, and its arguments.
  static Result<std::unique_ptr<PeerProcess>> start(std::vector<std::string> command);
  ~PeerProcess();
  PeerProcess(const PeerProcess&) = delete;
  PeerProcess& operator=(const PeerProcess&) = delete;

  Result<void> prepare(const std::string& peer, const std::string& workload);
  // Nanoseconds per launch of what was prepared last.
  Result<double> time(unsigned launches, Clock clock);
  // Nanoseconds in which PoCL makes and launches a small kernel; a new one for each number.
  Result<double> compile(unsigned number, Clock clock);

 private:
  PeerProcess(pid_t process, std::FILE* commands, std::FILE* answers)
      : process_(process), commands_(commands), answers_(answers) {}
  Result<std::string> ask(const std::string& line);
  Result<double> ask_time(const std::string& command, unsigned number, Clock clock);

  const pid_t process_;
  std::FILE* const commands_;
  std::FILE* const answers_;
};

}  // namespace assay::bench
