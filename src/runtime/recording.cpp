// See recording.h.
#include "runtime/recording.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <mutex>

#include "base/parse_number.h"
#include "base/settings.h"
#include "capture/session.h"
#include "device/clock.h"
#include "device/current.h"
#include "eval/evaluation_listener.h"
#include "runtime/device_measurements.h"
#include "runtime/tell_user.h"

namespace assay::runtime {
namespace {

constexpr double kNanoseconds = 1e9;

// Beside the captures of the program itself, which it does not touch.
class Recording final : public EvaluationListener {
 public:
  Recording(RecordingRequest request, const base::Settings& settings, EvaluationListener* next)
      : request_(std::move(request)), settings_(settings), next_(next) {}

  void on_evaluation_begin() override {
    {
      const std::lock_guard lock(mutex_);
      if (is_ours()) advance();
    }
    if (next_ != nullptr) next_->on_evaluation_begin();
  }

  void on_evaluation_end() override {
    if (next_ != nullptr) next_->on_evaluation_end();
  }

  void end_with_process() {
    if (::getpid() != process_) return;
    const std::lock_guard lock(mutex_);
    finish();
  }

 private:
  // A child without a program of its own, forked before the first evaluation, records itself;
  // afterwards the device's threads, and with them the recording, are the parent's.
  bool is_ours() {
    if (!is_begun_) process_ = ::getpid();
    return ::getpid() == process_;
  }

  void advance() {
    if (!is_begun_) begin();
    if (session_ && is_over_limit()) finish();
  }

  bool is_over_limit() const {
    const auto age = static_cast<double>(device::now_ns() - request_.begin_ns);
    return request_.limit_s > 0 && age > request_.limit_s * kNanoseconds;
  }

  void begin() {
    is_begun_ = true;
    if (is_over_limit()) return;
    const std::shared_ptr<device::Device> device = device::current_device_ptr();
    capture::SessionOptions options{
        .path = fmt::format("{}/{}.part", request_.folder, process_),
        .recorder = {.detail = capture::Detail::kTimeline,
                     .queue_label = {},
                     .name = {},
                     .start_ns = request_.begin_ns,
                     .is_whole_program = true},
        .measurements =
            load_measurements(measurements_path(settings_), {device->name(), settings_.threads})};
    options.writer.keep_ns = static_cast<int64_t>(request_.ring_s * kNanoseconds);
    auto started = capture::Session::start(device, std::move(options));
    if (!started) return tell_user_line("not recorded: " + started.error().message);
    session_ = std::move(*started);
  }

  void finish() {
    if (!session_) return;
    const auto summary = session_->stop();
    session_.reset();
    if (!summary) tell_user_line(summary.error().message);
  }

  const RecordingRequest request_;
  const base::Settings settings_;
  EvaluationListener* const next_;
  std::mutex mutex_;  // guards what follows
  pid_t process_ = ::getpid();
  bool is_begun_ = false;
  std::unique_ptr<capture::Session> session_;
};

// Lives as long as the process, whose threads may evaluate until the very end.
Recording* current = nullptr;

}  // namespace

std::string RecordingRequest::text() const {
  return fmt::format("begin={},limit={},ring={},folder={}", begin_ns, limit_s, ring_s, folder);
}

Result<RecordingRequest> parse_recording_request(const std::string& text) {
  RecordingRequest request;
  std::string_view rest = text;
  auto take = [&rest](std::string_view name) -> std::optional<std::string_view> {
    if (!rest.starts_with(name) || !rest.substr(name.size()).starts_with('=')) return std::nullopt;
    rest.remove_prefix(name.size() + 1);
    const std::string_view value = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), value.size() + 1));
    return value;
  };
  const auto begin = parse_number<uint64_t>(take("begin").value_or(""));
  const auto limit = parse_number<double>(take("limit").value_or(""));
  const auto ring = parse_number<double>(take("ring").value_or(""));
  constexpr std::string_view kFolder = "folder=";
  const bool is_good = begin && limit && *limit >= 0 && ring && *ring >= 0 &&
                       rest.starts_with(kFolder) && rest.size() > kFolder.size();
  if (!is_good) {
    return Error{fmt::format("ASSAY_RECORD is \"{}\"; it is for assay record to set", text)};
  }
  return RecordingRequest{*begin, *limit, *ring, std::string(rest.substr(kFolder.size()))};
}

void start_recording() {
  const Result<base::Settings> settings = base::load_settings();
  if (!settings || settings->recording.empty()) return;
  Result<RecordingRequest> request = parse_recording_request(settings->recording);
  if (!request) return tell_user_line(request.error().message);
  current = new Recording(std::move(*request), *settings, evaluation_listener());
  set_evaluation_listener(current);
  std::atexit([] { current->end_with_process(); });
}

}  // namespace assay::runtime
