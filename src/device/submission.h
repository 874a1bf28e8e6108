// The handle of a submitted command buffer: state, times and errors.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/kept_memory.h"
#include "base/result.h"
#include "kernel/description.h"

namespace assay::device {

class Submission;

enum class Status : uint8_t { kPending, kRunning, kCompleted, kFailed };

// Blocks until a submission is done; implemented by the queues.
class SubmissionWaiter {
 public:
  virtual ~SubmissionWaiter() = default;
  // An error only where waiting could never end.
  virtual Result<void> wait_until_done(const Submission& submission) = 0;
};

// Outcome of one dispatch. After a failure in a command buffer the dispatches behind it are not
// run; they count as failed and their error says why.
struct DispatchResult {
  kernel::DispatchTimes times;
  Status status = Status::kPending;
  std::string error;
};

// Thread-safe. dispatches() and error() may be read once done() is true, wait() has returned, or
// from a completion handler.
class Submission {
 public:
  Submission(uint64_t id, std::string label, std::shared_ptr<SubmissionWaiter> waiter);

  uint64_t id() const { return id_; }
  const std::string& label() const { return label_; }
  Status status() const { return status_.load(std::memory_order_acquire); }
  bool done() const { return status() == Status::kCompleted || status() == Status::kFailed; }

  // Blocks until all commands have run and the completion handlers have returned. May run pending
  // commands on this thread. The error is that of the first command that failed.
  Result<void> wait() const;

  // One per dispatch of the command buffer, in order.
  std::span<const DispatchResult> dispatches() const { return dispatches_; }
  // Of the first command that failed.
  const std::optional<Error>& error() const { return error_; }
  uint64_t submitted_ns() const { return submitted_ns_; }

 private:
  friend class SubmissionRecorder;

  const uint64_t id_;
  const std::string label_;
  const std::shared_ptr<SubmissionWaiter> waiter_;
  std::atomic<Status> status_ = Status::kPending;
  uint64_t submitted_ns_ = 0;
  base::KeptVector<DispatchResult> dispatches_;
  std::optional<Error> error_;
};

// The writing side, for the queue that runs the commands.
class SubmissionRecorder {
 public:
  explicit SubmissionRecorder(Submission& submission) : submission_(submission) {}

  void submitted(uint64_t time_ns, size_t dispatches);
  void running() { submission_.status_.store(Status::kRunning, std::memory_order_release); }
  DispatchResult& dispatch(size_t index) { return submission_.dispatches_[index]; }
  // Keeps the first error.
  void failed(const Error& error);
  // Publishes everything recorded so far.
  void done();

 private:
  Submission& submission_;
};

}  // namespace assay::device
