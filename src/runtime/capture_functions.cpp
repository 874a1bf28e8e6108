// Captures as programs ask for them: functions, a scope, and the one of the environment.
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "assay/metal.h"
#include "fmt/format.h"
#include "runtime/capture_state.h"
#include "runtime/tell_user.h"

namespace assay::metal {
namespace {

void report(const capture::SessionSummary& summary) {
  if (summary.remark.empty()) return;
  runtime::tell_user_line(
      fmt::format("the capture in '{}' is empty: {}", summary.path, summary.remark));
}

// What can be said before the capture begins; creating the file decides.
std::string find_obstacle(const std::string& path) {
  std::error_code failure;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, failure))) {
    return "it already exists, and nothing is overwritten";
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const std::string name = folder.empty() ? "." : folder.string();
  if (::access(name.c_str(), W_OK) == 0) return {};
  return fmt::format("its folder '{}' does not exist or may not be written", name);
}

}  // namespace

void start_capture(std::string path) { start_capture(CaptureOptions{.path = std::move(path)}); }

void start_capture(const CaptureOptions& options) {
  if (const Result<void> begun = runtime::begin_capture(options); !begun) {
    throw std::runtime_error(begun.error().message);
  }
}

void stop_capture() {
  const Result<capture::SessionSummary> summary = runtime::end_capture();
  if (!summary) throw std::runtime_error(summary.error().message);
  report(*summary);
}

CaptureScope::CaptureScope(std::string path) { start_capture(std::move(path)); }
CaptureScope::CaptureScope(const CaptureOptions& options) { start_capture(options); }

CaptureScope::~CaptureScope() {
  if (const Result<capture::SessionSummary> summary = runtime::end_capture()) {
    report(*summary);
  } else {
    runtime::tell_user_line(summary.error().message);
  }
}

struct MetalCapture::State {
  CaptureOptions options;
  bool is_capturing = false;
  bool is_over = false;
};

MetalCapture::MetalCapture(std::unique_ptr<State> state) : state_(std::move(state)) {}
MetalCapture::MetalCapture(MetalCapture&& other) noexcept = default;

MetalCapture& MetalCapture::operator=(MetalCapture&& other) noexcept {
  if (this == &other) return *this;
  end();
  state_ = std::move(other.state_);
  return *this;
}

MetalCapture::~MetalCapture() { end(); }

std::optional<MetalCapture> MetalCapture::from_env(const Device& /*device*/) {
  const Result<base::Settings> settings = base::load_settings();
  if (!settings) {
    runtime::tell_user_line(settings.error().message);
    return std::nullopt;
  }
  const bool is_asked_for = !settings->capture_path.empty() || settings->captured_evaluation != 0;
  if (!is_asked_for || !runtime::take_capture_latch()) return std::nullopt;
  const Result<runtime::CaptureRequest> request = runtime::parse_capture_request(*settings);
  if (!request) {
    runtime::tell_user_line(request.error().message);
    return std::nullopt;
  }
  const std::string& path = request->options.path;
  auto ignore = [&](std::string_view why) {
    runtime::tell_user_line(fmt::format("MLX_METAL_CAPTURE={} is ignored: {}", path, why));
    return std::nullopt;
  };
  if (!settings->is_capture_permitted) {
    return ignore("capture is not permitted; set MTL_CAPTURE_ENABLED=1");
  }
  if (const std::string obstacle = find_obstacle(path); !obstacle.empty()) return ignore(obstacle);
  return MetalCapture(std::make_unique<State>(State{.options = request->options}));
}

void MetalCapture::begin() {
  if (!state_ || state_->is_capturing || state_->is_over) return;
  if (const Result<void> begun = runtime::begin_capture(state_->options); !begun) {
    state_->is_over = true;
    return runtime::tell_user_line(begun.error().message);
  }
  state_->is_capturing = true;
}

void MetalCapture::end() {
  if (!state_ || !state_->is_capturing) return;
  state_->is_capturing = false;
  state_->is_over = true;
  const Result<capture::SessionSummary> summary = runtime::end_capture();
  if (!summary) return runtime::tell_user_line(summary.error().message);
  report(*summary);
  runtime::tell_user_line(
      fmt::format("captured {} commands to {}", summary->counts.commands, summary->path));
}

bool MetalCapture::is_capturing() const { return state_ && state_->is_capturing; }
const std::string& MetalCapture::path() const {
  static const std::string kNone;
  return state_ ? state_->options.path : kNone;
}

void reset_capture_consumed_for_test() { runtime::reset_capture_latch(); }

}  // namespace assay::metal
