// See recording.h.
#include "runtime/recording.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "assay/recording.h"
#include "base/parse_number.h"
#include "base/settings.h"
#include "capture/session.h"
#include "device/clock.h"
#include "device/current.h"
#include "eval/evaluation_listener.h"
#include "runtime/capture_state.h"
#include "runtime/control_page.h"
#include "runtime/device_measurements.h"
#include "runtime/finding_receivers.h"
#include "runtime/tell_user.h"

namespace assay::runtime {
namespace {

constexpr double kNanoseconds = 1e9;

// Beside the captures of the program itself, which it does not touch. Recordings come from the
// environment, from the first evaluation on, or from a tool that asks a running program.
class Recording final : public EvaluationListener {
 public:
  Recording(std::optional<RecordingRequest> request, std::unique_ptr<ControlPage> page,
            const base::Settings& settings, EvaluationListener* next)
      : settings_(settings),
        next_(next),
        page_(std::move(page)),
        is_attentive_(request.has_value()),
        request_(std::move(request)) {}

  void on_evaluation_begin() override {
    const bool is_asked = page_ && page_->state() == ControlState::kAsked;
    if (is_asked || is_attentive_.load(std::memory_order_relaxed)) attend();
    if (next_ != nullptr) next_->on_evaluation_begin();
  }

  void on_evaluation_end() override {
    if (next_ != nullptr) next_->on_evaluation_end();
  }

  void end_with_process() {
    if (::getpid() == process_) finish();  // locks of a fork may be held for ever
  }

 private:
  void attend() {
    bool is_over = false;
    {
      const std::lock_guard lock(mutex_);
      // A child without a program of its own, forked before the recording began, records itself;
      // afterwards the device's threads, and with them the recording, are the parent's.
      if (session_ && ::getpid() != process_) return;
      if (!request_) take_request();
      if (!session_ && request_) begin(*std::exchange(request_, std::nullopt));
      is_over = session_ && limit_.is_over();
    }
    if (is_over) finish();
  }

  // What the tool asks for, if it means this process.
  void take_request() {
    const std::string text = page_ ? page_->request() : std::string();
    if (text.empty() || page_->state() != ControlState::kAsked || !page_->has_tool()) return;
    if (session_) {
      page_->set_message("it is being recorded by the assay record that started it");
      page_->change(ControlState::kAsked, ControlState::kIdle);
      return;
    }
    if (!page_->change(ControlState::kAsked, ControlState::kRecording)) return;
    is_attached_ = true;
    Result<RecordingRequest> request = parse_recording_request(text);
    if (!request) return refuse(request.error().message);
    request->is_attached = true;
    request_ = std::move(*request);
  }

  struct Limit {
    uint64_t begin_ns = 0;
    double seconds = 0;  // 0: none

    bool is_over() const {
      const auto age = static_cast<double>(device::now_ns() - begin_ns);
      return seconds > 0 && age > seconds * kNanoseconds;
    }
  };

  void begin(const RecordingRequest& request) {
    process_ = ::getpid();
    is_attached_ = request.is_attached;
    limit_ = {request.begin_ns, request.limit_s};
    is_attentive_ = limit_.seconds > 0;
    if (limit_.is_over()) return refuse("the time was over before the program evaluated anything");
    auto started = start_session(request);
    if (!started) return refuse(started.error().message);
    session_ = std::move(*started);
    add_finding_receiver(*session_);
    if (is_attached_) start_watching();
    if (!is_attached_ && page_) page_->change(ControlState::kIdle, ControlState::kOwn);
  }

  Result<std::unique_ptr<capture::Session>> start_session(const RecordingRequest& request) const {
    const std::shared_ptr<device::Device> device = device::current_device_ptr();
    capture::SessionOptions options{
        .path = fmt::format("{}/{}.part", request.folder, process_.load()),
        .recorder = {.detail = capture::Detail::kTimeline,
                     .queue_label = {},
                     .name = {},
                     .start_ns = request.begin_ns,
                     .is_whole_program = !request.is_attached},
        .measurements =
            load_measurements(measurements_path(settings_), {device->name(), settings_.threads})};
    options.writer.keep_ns = static_cast<int64_t>(request.ring_s * kNanoseconds);
    return capture::Session::start(device, std::move(options));
  }

  // A program that was attached to prints nothing of it: the tool tells.
  void refuse(const std::string& message) {
    if (!is_attached_) return tell_user_line("not recorded: " + message);
    page_->set_message(message);
    release_page();
  }

  void release_page() {
    if (!page_) return;
    page_->change(ControlState::kRecording, ControlState::kIdle);
    page_->change(ControlState::kStopping, ControlState::kIdle);
    page_->change(ControlState::kOwn, ControlState::kIdle);
  }

  // A thread as long as somebody records, because a program may be doing something else for long
  // when the recording is to end. Signals stay with the program's own threads.
  void start_watching() {
    sigset_t all = {}, before = {};
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread([this, limit = limit_, number = ++number_] { watch(limit, number); }).detach();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  void watch(const Limit limit, const uint64_t number) {
    constexpr auto kInterval = std::chrono::milliseconds(100);
    while (page_->state() == ControlState::kRecording && page_->has_tool() && !limit.is_over()) {
      page_->wait_while(ControlState::kRecording, kInterval);
      if (number != number_) return;  // it ended, and this is another one
    }
    finish();
  }

  // Whoever comes first ends it; whoever comes second waits until it is done. Evaluations go on
  // meanwhile.
  void finish() {
    const std::lock_guard one_by_one(finish_mutex_);
    std::unique_ptr<capture::Session> session;
    {
      const std::lock_guard lock(mutex_);
      session = std::move(session_);
      is_attentive_ = false;
    }
    if (!session) return;
    const auto summary = session->stop();
    if (!summary && is_attached_) page_->set_message(summary.error().message);
    if (!summary && !is_attached_) tell_user_line(summary.error().message);
    release_page();
  }

  const base::Settings settings_;
  EvaluationListener* const next_;
  const std::unique_ptr<ControlPage> page_;  // null where nobody may attach
  std::atomic<bool> is_attentive_;           // evaluations have to look
  std::mutex finish_mutex_;                  // in front of the other one
  std::mutex mutex_;                         // guards what follows
  std::optional<RecordingRequest> request_;  // not begun yet
  std::unique_ptr<capture::Session> session_;
  // Of the last recording; they do not change while it runs.
  std::atomic<pid_t> process_ = ::getpid();
  std::atomic<uint64_t> number_ = 0;  // of recordings by tools
  bool is_attached_ = false;
  Limit limit_;
};

// Lives as long as the process, whose threads may evaluate until the very end.
Recording* current = nullptr;

// Null, silently, where the system refuses: a program must not notice that nobody can attach.
std::unique_ptr<ControlPage> make_page(const base::Settings& settings) {
  if (!settings.is_attach_allowed) return nullptr;
  Result<std::unique_ptr<ControlPage>> page = ControlPage::create();
  return page ? std::move(*page) : nullptr;
}

// What the environment asks for.
std::optional<RecordingRequest> environment_request(const base::Settings& settings) {
  if (settings.recording.empty()) return std::nullopt;
  Result<RecordingRequest> request = parse_recording_request(settings.recording);
  if (request) return std::move(*request);
  tell_user_line(request.error().message);
  return std::nullopt;
}

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
  return RecordingRequest{.begin_ns = *begin,
                          .limit_s = *limit,
                          .ring_s = *ring,
                          .folder = std::string(rest.substr(kFolder.size()))};
}

void start_recording() {
  const Result<base::Settings> settings = base::load_settings();
  if (!settings) return;  // whoever opens the device says what is wrong
  std::optional<RecordingRequest> request = environment_request(*settings);
  std::unique_ptr<ControlPage> page = make_page(*settings);
  if (!request && !page) return;
  current = new Recording(std::move(request), std::move(page), *settings, evaluation_listener());
  set_evaluation_listener(current);
  std::atexit(end_recording);
}

void end_recording() {
  if (current != nullptr) current->end_with_process();
}

}  // namespace assay::runtime

namespace assay::metal {

void finish_recording() {
  runtime::end_recording();
  runtime::end_environment_capture();
}

}  // namespace assay::metal
