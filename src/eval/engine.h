// What evaluation needs for the whole process: kernels by key, and a queue for every stream.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "array/evaluation_lock.h"
#include "array/primitive.h"
#include "device/device.h"
#include "pipeline/pipeline_cache.h"

namespace assay {

// The order of work of one stream. Used under the engine's lock.
struct StreamQueue {
  int index = 0;
  std::unique_ptr<device::Queue> queue;
  std::shared_ptr<device::Event> event;
  uint64_t last_value = 0;  // of the event, asked for so far
  // Commands that are not submitted yet, and what the arrays they write wait for.
  std::unique_ptr<device::CommandBuffer> commands;
  std::shared_ptr<Completion> completion;
  uint64_t bytes = 0;  // touched by `commands`
  // The newest submission, for synchronize().
  std::shared_ptr<device::Submission> last_submission;
};

class Engine {
 public:
  // Made at the first use; lives until the process ends. Throws when there is no device.
  static Engine& get();

  // Held while graphs are ordered and encoded, never while anybody waits.
  std::mutex& mutex() { return evaluation_mutex(); }

  // All below: with the lock held.
  StreamQueue& stream(const Stream& stream);
  // For command buffers from now on.
  void set_label(const Stream& stream, const std::string& label);
  // Begins a command buffer where there is none.
  device::CommandBuffer& commands(StreamQueue& stream);
  // Command buffers have room for that many commands from the start.
  void expect_commands(size_t count) { expected_commands_ = count; }
  // Submits what the stream has collected. With `run_here` small work is done before this returns.
  void submit(StreamQueue& stream, bool run_here = false);
  // Of every stream; returns the newest submission of each that has one.
  std::vector<std::shared_ptr<device::Submission>> submit_all();
  // Number of the evaluation that is being encoded.
  uint64_t evaluation() const { return evaluation_; }
  void begin_evaluation() { ++evaluation_; }
  // Throws std::runtime_error with the compiler's messages. `site` is the line that needs it.
  pipeline::LoadedKernelPtr kernel(const KernelRequest& request, CallSitePtr site);

  device::Device& device() { return *device_; }
  const std::shared_ptr<device::Device>& device_ptr() { return device_; }
  // Whether commands carry labels and call sites.
  bool is_labelling() const { return is_debug_ || device_->is_observed(); }
  // Whether the labels also describe arrays, which takes longer than all else about them.
  bool is_describing_arrays() const { return is_debug_ || device_->is_observed_closely(); }

 private:
  Engine();
  // For calls that are checked by themselves; most programs have none.
  pipeline::PipelineCache& checked_pipelines();

  const std::shared_ptr<device::Device> device_;
  std::unique_ptr<pipeline::PipelineCache> pipelines_;
  codegen::BuildOptions build_options_;
  std::shared_ptr<pipeline::KernelCache> disk_;
  std::unique_ptr<pipeline::PipelineCache> checked_pipelines_;  // null before the first such call
  bool is_debug_ = false;
  size_t expected_commands_ = 0;
  uint64_t evaluation_ = 0;
  std::unordered_map<int, std::unique_ptr<StreamQueue>> streams_;
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, pipeline::LoadedKernelPtr, TextHash, std::equal_to<>> kernels_;
};

}  // namespace assay
