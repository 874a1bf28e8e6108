// Captures evaluations of a program that knows nothing of it: MLX_METAL_CAPTURE,
// GGML_METAL_CAPTURE_COMPUTE and ASSAY_CAPTURE.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>

#include "eval/evaluation_listener.h"
#include "runtime/capture_state.h"
#include "runtime/tell_user.h"

namespace assay::runtime {
namespace {

// Begins with evaluation number `first` and ends with the last of `count`, or with the process.
class EnvironmentCapture final : public EvaluationListener {
 public:
  EnvironmentCapture(uint64_t first, uint64_t count) : first_(first), count_(count) {}

  void on_evaluation_begin() override {
    const std::lock_guard lock(mutex_);
    if (++begun_ != first_ || is_over_) return;
    capture_ = metal::MetalCapture::from_env();
    if (capture_) capture_->begin();
    is_over_ = !capture_;
  }

  void on_evaluation_end() override {
    const std::lock_guard lock(mutex_);
    if (!capture_ || count_ == 0 || ++ended_ < count_) return;
    finish();
  }

  void end_with_process() {
    if (::getpid() != process_) return;  // a fork has no part in it
    const std::lock_guard lock(mutex_);
    if (!capture_ && !is_over_ && begun_ < first_) {
      tell_user_line(
          fmt::format("nothing was captured: the program made {} evaluations, and number {} was "
                      "asked for",
                      begun_, first_));
    }
    finish();
  }

 private:
  void finish() {
    capture_.reset();
    is_over_ = true;
  }

  const uint64_t first_;
  const uint64_t count_;
  const pid_t process_ = ::getpid();
  std::mutex mutex_;  // guards what follows
  uint64_t begun_ = 0;
  uint64_t ended_ = 0;  // since the capture began
  bool is_over_ = false;
  std::optional<metal::MetalCapture> capture_;
};

EnvironmentCapture* current = nullptr;

}  // namespace

void start_environment_capture() {
  const Result<base::Settings> settings = base::load_settings();
  if (!settings) return;  // whoever opens the device says what is wrong
  if (settings->capture_path.empty() && settings->captured_evaluation == 0) return;
  const Result<CaptureRequest> request = parse_capture_request(*settings);
  if (!request) {
    return tell_user_line(request.error().message);
  }
  const uint64_t first = std::max<uint64_t>(settings->captured_evaluation, 1);
  current = new EnvironmentCapture(first, request->count);
  set_evaluation_listener(current);
  std::atexit(end_environment_capture);
}

void end_environment_capture() {
  if (current != nullptr) current->end_with_process();
}

}  // namespace assay::runtime
