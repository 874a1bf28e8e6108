// Commands of different queues may use the same memory only if events or the host order them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernel/description.h"
#include "sanitizer/finding.h"

namespace assay::sanitizer {

// Follows who must have run before whom. Not thread-safe; commands are told when they begin.
class OrderingCheck {
 public:
  // What the host has seen completed when it submits is ordered before it.
  void on_submit(const kernel::SubmitDescription& submit);
  void on_complete(const kernel::SubmitDescription& submit);
  // Conflicts of this command with earlier ones that nothing orders, each pair of kernels once.
  std::vector<Finding> on_begin(const kernel::CommandDescription& command);
  // Waits are over.
  void on_end(const kernel::CommandDescription& command);
  void forget(uint64_t buffer);

 private:
  // How far each queue had come, in commands.
  using Clock = std::map<uint64_t, uint64_t>;

  struct Access {
    uint64_t begin = 0, end = 0;  // bytes of the buffer
    uint64_t queue = 0;
    uint64_t time = 0;
    bool is_write = false;
    std::string what;  // "kernel 'sum'"
    std::string origin;
  };

  static void join(Clock& clock, const Clock& other);
  void start(const kernel::CommandDescription& command);
  void add(const kernel::BindingDescription& binding, Access access);

  std::map<uint64_t, Clock> queues_;
  Clock completed_;
  std::map<uint64_t, Clock> starts_;                       // by command buffer, until it has begun
  std::map<uint64_t, std::map<uint64_t, Clock>> signals_;  // by event and value
  std::map<uint64_t, std::vector<Access>> accesses_;       // by buffer
  std::map<std::string, uint64_t> reported_;
};

}  // namespace assay::sanitizer
