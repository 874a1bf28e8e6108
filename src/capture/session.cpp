// See session.h.
#include "capture/session.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <chrono>
#include <thread>

#include "assay/version.h"
#include "capture/host_process.h"

namespace assay::capture {
namespace {

const char* detail_name(Detail detail) {
  switch (detail) {
    case Detail::kTimeline: return "timeline";
    case Detail::kSkeleton: return "skeleton";
    case Detail::kFull: return "full";
  }
  return "";
}

const char* kind_name(device::DeviceKind kind) {
  switch (kind) {
    case device::DeviceKind::kCpu: return "cpu";
    case device::DeviceKind::kCuda: return "cuda";
    case device::DeviceKind::kNull: return "null";
  }
  return "";
}

std::string explain_empty(const RecorderCounts& counts, const RecorderOptions& options) {
  if (counts.left_out > 0) {
    return fmt::format("no command matched '{}'; {} others ran", options.name, counts.left_out);
  }
  std::string text =
      "nothing was submitted between start and stop; arrays are lazy: call eval() in between, and "
      "keep work whose results are already there out of it";
  if (!options.queue_label.empty()) {
    text += fmt::format(" (only '{}' was recorded)", options.queue_label);
  }
  return text;
}

}  // namespace

Session::Session(std::shared_ptr<device::Device> device, std::unique_ptr<trace::Writer> writer,
                 RecorderOptions options)
    : device_(std::move(device)),
      options_(std::move(options)),
      writer_(std::move(writer)),
      recorder_(std::make_shared<Recorder>(*writer_, *device_, options_)) {}

Result<std::unique_ptr<Session>> Session::start(std::shared_ptr<device::Device> device,
                                                SessionOptions options) {
  Result<std::unique_ptr<trace::Writer>> writer =
      trace::Writer::create(options.path, options.writer);
  if (!writer) return writer.error();
  std::unique_ptr<Session> session(
      new Session(std::move(device), std::move(*writer), std::move(options.recorder)));
  session->add_facts();
  for (trace::MeasurementRecord& each : options.measurements) {
    session->writer_->add(std::move(each));
  }
  session->device_->add_observer(session->recorder_);
  return session;
}

void Session::add_facts() {
  const auto wall = std::chrono::system_clock::now();
  utsname system = {};
  ::uname(&system);
  const std::pair<const char*, std::string> facts[] = {
      {"format", "assay trace"},
      {"assay_version", std::string(assay::version())},
      {"detail", detail_name(options_.detail)},
      {"started_at", fmt::format("{:%FT%TZ}", std::chrono::floor<std::chrono::milliseconds>(wall))},
      {"process_id", fmt::format("{}", process_number())},
      {"command_line", command_line()},
      {"system", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
      {"host", system.nodename},
      {"cores", fmt::format("{}", std::thread::hardware_concurrency())},
      {"device_name", device_->name()},
      {"device_kind", kind_name(device_->kind())},
      {"device_memory_bytes", fmt::format("{}", device_->limits().total_memory_bytes)},
  };
  std::vector<trace::Record> records;
  for (const auto& [name, value] : facts) records.emplace_back(trace::FactRecord{name, value});
  if (!options_.queue_label.empty()) {
    records.emplace_back(trace::FactRecord{"only_queue", options_.queue_label});
  }
  if (!options_.name.empty()) records.emplace_back(trace::FactRecord{"only_name", options_.name});
  writer_->add(std::move(records));
}

Session::~Session() { (void)stop(); }

Result<SessionSummary> Session::stop() {
  if (!recorder_) return Error{"[capture] this capture has already been stopped"};
  SessionSummary summary{.path = path(), .counts = recorder_->close(), .remark = {}};
  device_->remove_observer(recorder_.get());
  writer_->add(trace::FactRecord{"ended", fmt::format("{}", recorder_->now())});
  if (summary.counts.commands == 0) {
    summary.remark = explain_empty(summary.counts, options_);
    writer_->add(trace::FactRecord{"remark", summary.remark});
  }
  recorder_.reset();
  if (const Result<void> finished = writer_->finish(); !finished) {
    return Error{fmt::format("[capture] {}", finished.error().message)};
  }
  return summary;
}

}  // namespace assay::capture
