// See engine.h.
#include "eval/engine.h"

#include <stdexcept>

#include "base/settings.h"
#include "device/current.h"
#include "device/host_span.h"
#include "eval/evaluation_label.h"
#include "fmt/format.h"
#include "pipeline/build_options.h"

namespace assay {

Engine& Engine::get() {
  // Never destroyed: arrays and threads of the user may outlive every static object.
  static auto* engine = new Engine;
  return *engine;
}

Engine::Engine() : device_(device::current_device_ptr()) {
  const Result<base::Settings> settings = base::load_settings();
  if (!settings) throw std::runtime_error(settings.error().message);
  is_debug_ = settings->is_debug;
  build_options_ = pipeline::build_options(*settings);
  disk_ = pipeline::KernelCache::create(*settings);
  pipelines_ = std::make_unique<pipeline::PipelineCache>(device_, build_options_, disk_);
}

pipeline::PipelineCache& Engine::checked_pipelines() {
  if (!checked_pipelines_) {
    codegen::BuildOptions options = build_options_;
    options.checked = true;
    options.debug = false;  // checked builds know lines only
    checked_pipelines_ = std::make_unique<pipeline::PipelineCache>(device_, options, disk_);
  }
  return *checked_pipelines_;
}

StreamQueue& Engine::stream(const Stream& stream) {
  std::unique_ptr<StreamQueue>& entry = streams_[stream.index];
  if (!entry) {
    Result<std::unique_ptr<device::Queue>> queue =
        device_->create_queue(fmt::format("stream {}", stream.index));
    if (!queue) throw std::runtime_error(queue.error().message);
    entry = std::make_unique<StreamQueue>();
    entry->index = stream.index;
    entry->queue = std::move(*queue);
    entry->event = device_->create_event();
  }
  return *entry;
}

void Engine::set_label(const Stream& stream, const std::string& label) {
  const std::string number = fmt::format("stream {}", stream.index);
  this->stream(stream).queue->set_label(label.empty() ? number : number + ": " + label);
}

device::CommandBuffer& Engine::commands(StreamQueue& stream) {
  if (!stream.commands) {
    stream.commands = stream.queue->command_buffer(evaluation_label());
    stream.commands->run_all();
    stream.completion = std::make_shared<Completion>();
    if (expected_commands_ > 2) {
      stream.commands->reserve(expected_commands_);
      stream.completion->log.reserve(expected_commands_);
    }
    stream.completion->event = stream.event;
    stream.completion->value = ++stream.last_value;
    stream.completion->stream = stream.index;
  }
  return *stream.commands;
}

void Engine::submit(StreamQueue& stream, bool run_here) {
  if (!stream.commands) return;
  // Larger work would keep the lock for too long.
  constexpr uint64_t kSmallWork = 1 << 16;
  const bool is_small = run_here && stream.commands->work_size() <= kSmallWork;
  const std::shared_ptr<Completion> completion = std::move(stream.completion);
  std::unique_ptr<device::CommandBuffer> commands = std::move(stream.commands);
  stream.bytes = 0;
  if (const Result<void> added = commands->signal(stream.event, completion->value); !added) {
    throw std::runtime_error(added.error().message);
  }
  stream.last_submission =
      is_small ? stream.queue->run(std::move(commands)) : stream.queue->submit(std::move(commands));
  completion->submitted(stream.last_submission);
}

std::vector<std::shared_ptr<device::Submission>> Engine::submit_all() {
  std::vector<std::shared_ptr<device::Submission>> last;
  for (const auto& [index, stream] : streams_) {
    submit(*stream);
    if (stream->last_submission) last.push_back(stream->last_submission);
  }
  return last;
}

pipeline::LoadedKernelPtr Engine::kernel(const KernelRequest& request, CallSitePtr site) {
  if (request.memo && *request.memo) return *request.memo;
  const bool is_checked = request.checks != nullptr;
  const std::string checked_key = is_checked ? fmt::format("checked {}", request.key) : "";
  const std::string_view key = is_checked ? std::string_view(checked_key) : request.key;
  pipeline::PipelineCache& pipelines = is_checked ? checked_pipelines() : *pipelines_;
  const auto known = kernels_.find(key);
  if (known != kernels_.end()) {
    if (request.memo) *request.memo = known->second;
    return known->second;
  }
  const std::string name(request.name);
  const device::HostSpan compiling(kernel::HostActivity::kCompile, name,
                                   [site] { return describe(site); });
  msl::CompileOptions options;
  options.math_mode = static_cast<msl::MathMode>(request.math_mode);
  options.allow_double = !request.is_custom;
  Result<std::shared_ptr<const pipeline::Library>> library =
      pipelines.compile({name, request.source()}, options);
  if (!library) throw std::runtime_error(library.error().message);
  Result<pipeline::LoadedKernelPtr> kernel = pipelines.get(**library, name);
  if (!kernel) throw std::runtime_error(kernel.error().message);
  kernels_.emplace(key, *kernel);
  if (request.memo) *request.memo = *kernel;
  return std::move(*kernel);
}

}  // namespace assay
