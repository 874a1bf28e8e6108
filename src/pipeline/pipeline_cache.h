// Library + kernel name + constants + device → loaded kernel. The one place that joins compiler and
// device; builds each pipeline once per process and, with a kernel cache, once per machine.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codegen/build_kernel.h"
#include "device/device.h"
#include "pipeline/cache_key.h"
#include "pipeline/kernel_cache.h"
#include "pipeline/library.h"
#include "pipeline/single_flight.h"

namespace assay::pipeline {

using LoadedKernelPtr = std::shared_ptr<const device::LoadedKernel>;

struct Pipeline {
  LoadedKernelPtr kernel;
  bool is_from_cache = false;  // an earlier process built it
  kernel::Executor executor = kernel::Executor::kReference;
  std::string fallback_reason = {};  // see KernelImage
};

// Thread-safe; two threads that ask for the same library or pipeline at once build it once.
class PipelineCache {
 public:
  // `disk` may be null: then nothing outlives the process.
  explicit PipelineCache(std::shared_ptr<device::Device> device, codegen::BuildOptions options = {},
                         std::shared_ptr<KernelCache> disk = nullptr);

  // compile_library() with the cache on disk.
  Result<std::shared_ptr<const Library>> compile(msl::Source source,
                                                 const msl::CompileOptions& options = {});

  // Errors name the kernel; an unknown name lists what the library has.
  Result<LoadedKernelPtr> get(const Library& library, std::string_view kernel,
                              std::span<const codegen::ConstantValue> constants = {});
  // The same, with where it came from.
  Result<Pipeline> get_pipeline(const Library& library, std::string_view kernel,
                                std::span<const codegen::ConstantValue> constants = {});

  const std::shared_ptr<device::Device>& device() const { return device_; }

 private:
  Result<Pipeline> load_or_build(const Library& library, const KernelRequest& request,
                                 const base::Hash128& key) const;
  Result<kernel::KernelImage> build(const Library& library, const KernelRequest& request) const;

  const std::shared_ptr<device::Device> device_;
  const codegen::BuildOptions options_;
  const base::Hash128 target_;
  const std::shared_ptr<KernelCache> disk_;
  SingleFlight<std::shared_ptr<const Library>> libraries_{Keep::kNothing};
  SingleFlight<Pipeline> pipelines_{Keep::kSuccess};
};

// The value of a function constant from the text a user gives ("true", "-3", "0.5", "1,2"), as the
// bytes its type needs.
Result<codegen::ConstantValue> parse_constant(const kernel::FunctionConstant& constant,
                                              std::string_view text);

}  // namespace assay::pipeline
