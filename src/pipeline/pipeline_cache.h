// Library + kernel name + constants + device → loaded kernel. The one place that joins compiler and
// device; builds each pipeline once per process.
#pragma once

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codegen/build_kernel.h"
#include "device/device.h"
#include "pipeline/library.h"

namespace assay::pipeline {

using LoadedKernelPtr = std::shared_ptr<const device::LoadedKernel>;

// Thread-safe; two threads that ask for the same pipeline at once build it once.
class PipelineCache {
 public:
  explicit PipelineCache(std::shared_ptr<device::Device> device,
                         codegen::BuildOptions options = {});

  // Errors name the kernel; an unknown name lists what the library has.
  Result<LoadedKernelPtr> get(const Library& library, std::string_view kernel,
                              std::span<const codegen::ConstantValue> constants = {});

  const std::shared_ptr<device::Device>& device() const { return device_; }

 private:
  struct Key {
    uint64_t library_id = 0;
    std::string kernel;
    std::string constants;  // indices, names and bytes, one after the other
    auto operator<=>(const Key&) const = default;
  };
  using Slot = std::shared_future<Result<LoadedKernelPtr>>;

  Result<LoadedKernelPtr> build(const Library& library, std::string_view kernel,
                                std::span<const codegen::ConstantValue> constants) const;

  const std::shared_ptr<device::Device> device_;
  const codegen::BuildOptions options_;
  std::mutex mutex_;
  std::map<Key, Slot> slots_;
};

// The value of a function constant from the text a user gives ("true", "-3", "0.5", "1,2"), as the
// bytes its type needs.
Result<codegen::ConstantValue> parse_constant(const kernel::FunctionConstant& constant,
                                              std::string_view text);

}  // namespace assay::pipeline
