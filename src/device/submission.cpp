// Waiting for and recording the outcome of a command buffer.
#include "device/submission.h"

#include <utility>

namespace assay::device {

Submission::Submission(uint64_t id, std::string label, std::shared_ptr<SubmissionWaiter> waiter)
    : id_(id), label_(std::move(label)), waiter_(std::move(waiter)) {}

Result<void> Submission::wait() const {
  if (!done()) {
    if (Result<void> waited = waiter_->wait_until_done(*this); !waited) return waited;
  }
  if (error_.has_value()) return *error_;
  return {};
}

void SubmissionRecorder::submitted(uint64_t time_ns, size_t dispatches) {
  submission_.submitted_ns_ = time_ns;
  submission_.dispatches_.resize(dispatches);
  for (DispatchResult& result : submission_.dispatches_) result.times.submitted_ns = time_ns;
}

void SubmissionRecorder::failed(const Error& error) {
  if (!submission_.error_.has_value()) submission_.error_ = error;
}

void SubmissionRecorder::done() {
  const Status status = submission_.error_.has_value() ? Status::kFailed : Status::kCompleted;
  submission_.status_.store(status, std::memory_order_release);
}

}  // namespace assay::device
