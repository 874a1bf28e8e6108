// A small program that is captured: kernels from text, buffers with labels, several queues.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/testing/temporary_folder.h"
#include "capture/session.h"
#include "device/cpu/cpu_device.h"
#include "pipeline/pipeline_cache.h"
#include "replay/replay.h"
#include "trace/database.h"
#include "trace/document.h"

namespace assay::replay::testing {

// Throws nothing and returns nothing wrong: an error fails the test with its message.
template <typename T>
T take(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << result.error().message;
    std::abort();
  }
  return std::move(*result);
}
inline void expect(const Result<void>& result) { EXPECT_TRUE(result) << result.error().message; }

inline std::shared_ptr<device::Device> make_device(unsigned threads = 3) {
  return take(device::cpu::CpuDevice::create({.threads = threads}));
}

class CapturedProgram {
 public:
  explicit CapturedProgram(capture::RecorderOptions options = {})
      : path_((folder_.path() / "run.gputrace").string()),
        device_(make_device()),
        pipelines_(device_),
        session_(take(capture::Session::start(device_, {path_, std::move(options)}))),
        queue_(take(device_->create_queue("main"))) {}

  pipeline::LoadedKernelPtr kernel(const std::string& source, const std::string& name = "k",
                                   std::vector<codegen::ConstantValue> constants = {},
                                   const msl::CompileOptions& options = {}) {
    const auto library = take(pipelines_.compile(
        {"test.metal", "#include <metal_stdlib>\nusing namespace metal;\n" + source}, options));
    return take(pipelines_.get(*library, name, constants));
  }

  template <typename T>
  std::shared_ptr<device::Buffer> buffer(const std::vector<T>& values,
                                         const std::string& label = {}) {
    auto made = take(device_->allocate(values.size() * sizeof(T), label));
    if (!values.empty()) std::memcpy(made->data(), values.data(), values.size() * sizeof(T));
    return made;
  }

  static void dispatch(device::CommandBuffer& commands, pipeline::LoadedKernelPtr kernel,
                       device::Bindings bindings, uint32_t threads,
                       device::CommandLabels labels = {}) {
    expect(commands.dispatch(std::move(kernel), std::move(bindings),
                             kernel::LaunchSize::threads({threads, 1, 1}, {32, 1, 1}),
                             std::move(labels)));
  }
  // One dispatch as a command buffer of its own, and waits for it.
  void run(pipeline::LoadedKernelPtr kernel, device::Bindings bindings, uint32_t threads,
           device::CommandLabels labels = {}) {
    auto commands = queue_->command_buffer("unit");
    dispatch(*commands, std::move(kernel), std::move(bindings), threads, std::move(labels));
    queue_->submit(std::move(commands));
    expect(queue_->wait());
  }

  // Ends the capture; the document stays as long as this object.
  const std::string& finish() {
    (void)take(session_->stop());
    return path_;
  }

  device::Device& device() { return *device_; }
  device::Queue& queue() { return *queue_; }
  std::string file(const std::string& name) const { return (folder_.path() / name).string(); }

 private:
  base::testing::TemporaryFolder folder_;
  const std::string path_;
  const std::shared_ptr<device::Device> device_;
  pipeline::PipelineCache pipelines_;
  const std::unique_ptr<capture::Session> session_;
  const std::unique_ptr<device::Queue> queue_;
};

// On a device of its own, as another process would.
inline Result<Report> try_replay(const std::string& path, const ReplayOptions& options = {}) {
  Result<trace::Document> document = trace::Document::open(path);
  if (!document) return document.error();
  pipeline::PipelineCache pipelines(make_device(2));
  return replay(*document, pipelines, options);
}

inline Report replay_file(const std::string& path, const ReplayOptions& options = {}) {
  return take(try_replay(path, options));
}

inline std::string replay_error(const std::string& path, const ReplayOptions& options = {}) {
  const Result<Report> report = try_replay(path, options);
  return report ? "no error" : report.error().message;
}

// Changes a finished document.
inline void change(const std::string& path, const std::string& sql) {
  trace::Database database = take(trace::Database::open(path, trace::OpenMode::kWrite));
  expect(database.execute(sql));
}

// Every command is the same in every bit, and there are `commands` of them.
inline void expect_verified(const Report& report, uint64_t commands) {
  EXPECT_EQ(report.commands, commands);
  EXPECT_EQ(report.count(Outcome::kVerified), commands);
  EXPECT_TRUE(report.differences.empty());
  EXPECT_FALSE(report.has_differences());
}

}  // namespace assay::replay::testing
