// See assay_contestant.h.
#include "bench/assay_contestant.h"

#include "pipeline/library.h"

namespace assay::bench {
namespace {

class AssayContestant : public Contestant {
 public:
  AssayContestant(const Workload& workload, pipeline::LoadedKernelPtr kernel,
                  std::unique_ptr<device::Queue> queue,
                  std::vector<std::shared_ptr<device::Buffer>> buffers)
      : workload_(workload),
        kernel_(std::move(kernel)),
        queue_(std::move(queue)),
        buffers_(std::move(buffers)),
        size_(kernel::LaunchSize::threadgroups({workload.groups.x, workload.groups.y},
                                               {workload.group_size.x, workload.group_size.y})) {
    uint32_t slot = 0;
    for (const auto& buffer : buffers_) bindings_.buffer(slot++, buffer);
    for (uint32_t value : workload.values) bindings_.value(slot++, value);
  }

  Result<void> fill() override {
    std::vector<Bytes> contents;
    for (const auto& buffer : buffers_) {
      std::ranges::fill(buffer->contents(), std::byte{0});
      contents.push_back(buffer->contents());
    }
    workload_.fill(contents);
    return {};
  }

  Result<void> launch() override {
    auto commands = queue_->command_buffer();
    if (Result<void> added = commands->dispatch(kernel_, bindings_, size_); !added) return added;
    return queue_->submit(std::move(commands))->wait();
  }

  Result<std::string> check() override {
    std::vector<ConstBytes> contents;
    for (const auto& buffer : buffers_) contents.push_back(std::as_const(*buffer).contents());
    return workload_.check(contents);
  }

 private:
  const Workload& workload_;
  const pipeline::LoadedKernelPtr kernel_;
  const std::unique_ptr<device::Queue> queue_;
  const std::vector<std::shared_ptr<device::Buffer>> buffers_;
  const kernel::LaunchSize size_;
  device::Bindings bindings_;
};

}  // namespace

Result<std::unique_ptr<Contestant>> make_assay(pipeline::PipelineCache& pipelines,
                                               const Workload& workload) {
  std::string file = workload.name + ".metal";
  auto library = pipelines.compile({file, read_kernel(file)}, {});
  if (!library) return library.error();
  auto kernel = pipelines.get(**library, workload.name);
  if (!kernel) return kernel.error();
  auto queue = pipelines.device()->create_queue();
  if (!queue) return queue.error();
  std::vector<std::shared_ptr<device::Buffer>> buffers;
  for (uint64_t bytes : workload.buffer_bytes) {
    auto buffer = pipelines.device()->allocate(bytes);
    if (!buffer) return buffer.error();
    buffers.push_back(std::move(*buffer));
  }
  return std::unique_ptr<Contestant>(std::make_unique<AssayContestant>(
      workload, std::move(*kernel), std::move(*queue), std::move(buffers)));
}

}  // namespace assay::bench
