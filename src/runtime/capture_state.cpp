// See capture_state.h.
#include "runtime/capture_state.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <mutex>

#include "base/parse_number.h"
#include "device/current.h"
#include "eval/evaluation_listener.h"
#include "runtime/device_measurements.h"
#include "runtime/finding_receivers.h"

namespace assay::runtime {
namespace {

struct CaptureState {
  std::mutex mutex;
  std::unique_ptr<capture::Session> session;
  // Of a capture for the viewer: the name that the document gets when it is complete.
  std::string shown_path;
  uint64_t shown_captures = 0;
  std::atomic<bool> is_latched = false;
};

// Never destroyed: threads of the program may capture until the very end.
CaptureState& state() {
  static auto* state = new CaptureState;
  return *state;
}

capture::Detail detail_of(metal::CaptureDetail detail) {
  switch (detail) {
    case metal::CaptureDetail::full: return capture::Detail::kFull;
    case metal::CaptureDetail::skeleton: return capture::Detail::kSkeleton;
    case metal::CaptureDetail::timeline: return capture::Detail::kTimeline;
  }
  return capture::Detail::kFull;
}

Result<base::Settings> load_permitted_settings() {
  Result<base::Settings> settings = base::load_settings();
  if (!settings || settings->is_capture_permitted) return settings;
  return Error{
      "[metal::start_capture] Capture is not permitted: set MTL_CAPTURE_ENABLED=1 (or "
      "METAL_CAPTURE_ENABLED=1) in the environment of the program."};
}

Measurements find_measurements() {
  const Result<base::Settings> settings = base::load_settings();
  if (!settings) return {};
  return load_measurements(measurements_path(*settings),
                           {device::current_device().name(), settings->threads});
}

// Where a capture is written: the user's path or, in a program that `assay view --launch` runs, a
// file of the viewer's. `shown_path` is the name that such a file gets when it is complete.
Result<std::string> choose_path(const std::string& path, const base::Settings& settings) {
  state().shown_path.clear();
  if (!path.empty()) return path;
  if (settings.view_folder.empty()) {
    return Error{
        "[metal::start_capture] The path is empty: give the file to write, such as "
        "\"work.gputrace\"."};
  }
  state().shown_path = fmt::format("{}/capture-{}-{}.gputrace", settings.view_folder, ::getpid(),
                                   ++state().shown_captures);
  return state().shown_path + ".part";
}

Result<void> apply_option(std::string_view key, std::string_view value, CaptureRequest& request) {
  if (key == "name") {
    request.options.name = value;
    return {};
  }
  if (key == "detail") {
    using Detail = metal::CaptureDetail;
    if (value == "full") return request.options.detail = Detail::full, Result<void>();
    if (value == "skeleton") return request.options.detail = Detail::skeleton, Result<void>();
    if (value == "timeline") return request.options.detail = Detail::timeline, Result<void>();
    return Error{fmt::format("detail is \"{}\"; use full, skeleton or timeline", value)};
  }
  if (key == "count" && value == "all") return request.count = 0, Result<void>();
  const std::optional<uint32_t> number = parse_number<uint32_t>(value);
  if (key == "count" && number && *number > 0) return request.count = *number, Result<void>();
  if (key == "stream" && number) {
    request.options.stream = Stream(static_cast<int>(*number), Device::gpu);
    return {};
  }
  if (key == "count" || key == "stream") {
    return Error{fmt::format("{} is \"{}\"; give a number", key, value)};
  }
  return Error{fmt::format("\"{}\" is no option; there are detail, count, stream and name", key)};
}

}  // namespace

Result<void> begin_capture(const metal::CaptureOptions& options) {
  const std::lock_guard lock(state().mutex);
  const Result<base::Settings> settings = load_permitted_settings();
  if (!settings) return settings.error();
  if (state().session) {
    return Error{
        fmt::format("[metal::start_capture] A capture is already running, to '{}': stop it "
                    "first with stop_capture().",
                    state().session->path())};
  }
  Result<std::string> path = choose_path(options.path, *settings);
  if (!path) return path.error();
  synchronize_all();
  capture::SessionOptions session{
      .path = std::move(*path),
      .recorder = {.detail = detail_of(options.detail), .queue_label = {}, .name = options.name}};
  session.measurements = find_measurements();
  if (options.stream)
    session.recorder.queue_label = fmt::format("stream {}", options.stream->index);
  Result<std::unique_ptr<capture::Session>> started =
      capture::Session::start(device::current_device_ptr(), std::move(session));
  if (!started) {
    return Error{fmt::format("[metal::start_capture] {}.", started.error().message)};
  }
  state().session = std::move(*started);
  add_finding_receiver(*state().session);
  return {};
}

Result<capture::SessionSummary> end_capture() {
  const std::lock_guard lock(state().mutex);
  if (!state().session) {
    return Error{
        "[metal::stop_capture] No capture is running: start one first with start_capture(path)."};
  }
  const std::unique_ptr<capture::Session> session = std::move(state().session);
  Result<capture::SessionSummary> summary = session->stop();
  if (!summary || state().shown_path.empty()) return summary;
  // The viewer looks for names like this one: now the document is whole.
  if (std::rename(summary->path.c_str(), state().shown_path.c_str()) != 0) {
    return Error{
        fmt::format("[metal::stop_capture] The viewer's folder is gone; the capture is in '{}'.",
                    summary->path)};
  }
  summary->path = state().shown_path;
  return summary;
}

Result<CaptureRequest> parse_capture_request(const base::Settings& settings) {
  CaptureRequest request;
  request.options.path = settings.capture_path;
  if (settings.capture_path.empty() && settings.captured_evaluation != 0) {
    request.options.path = fmt::format("perf-metal-{}.gputrace", ::getpid());
  }
  std::string_view rest = settings.capture_options;
  while (!rest.empty()) {
    const std::string_view option = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), option.size() + 1));
    const size_t equals = std::min(option.find('='), option.size());
    const std::string_view value = option.substr(std::min(option.size(), equals + 1));
    if (Result<void> applied = apply_option(option.substr(0, equals), value, request); !applied) {
      return Error{fmt::format("ASSAY_CAPTURE: {}", applied.error().message)};
    }
  }
  return request;
}

bool take_capture_latch() { return !state().is_latched.exchange(true); }
void reset_capture_latch() { state().is_latched = false; }

}  // namespace assay::runtime
