// See pipeline_cache.h.
#include "pipeline/pipeline_cache.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "device/clock.h"
#include "pipeline/build_options.h"
#include "pipeline/debug_source.h"

namespace assay::pipeline {
namespace {

Error unknown_kernel(const msl::Reflection& library, std::string_view kernel) {
  constexpr size_t kShown = 20;
  std::vector<std::string_view> names;
  for (const kernel::KernelInfo& info : library.kernels) names.push_back(info.name);
  std::ranges::sort(names);
  size_t total = names.size();
  names.resize(std::min(total, kShown));
  if (total == 0) {
    return {fmt::format(
        "[pipeline] no kernel '{}': the source has no kernels; mark a function with [[kernel]]",
        kernel)};
  }
  return {fmt::format("[pipeline] no kernel '{}'; the source has: {}{}", kernel,
                      fmt::join(names, ", "),
                      total > kShown ? fmt::format(" and {} more", total - kShown) : "")};
}

std::shared_ptr<const kernel::KernelOrigin> make_origin(const Library& library,
                                                        const KernelRequest& request,
                                                        uint64_t start_ns, bool is_from_cache) {
  if (!library.origin()) return nullptr;
  auto origin = std::make_shared<kernel::KernelOrigin>(*library.origin());
  for (const codegen::ConstantValue& value : request.constants) {
    origin->constants.push_back({value.name, value.index, value.bytes});
  }
  origin->build_ns += device::now_ns() - start_ns;
  origin->is_from_cache = is_from_cache;
  return origin;
}

Pipeline describe(LoadedKernelPtr kernel, const kernel::KernelImage& image, bool is_from_cache) {
  return {std::move(kernel), is_from_cache, image.executor, image.fallback_reason};
}

}  // namespace

PipelineCache::PipelineCache(std::shared_ptr<device::Device> device, codegen::BuildOptions options,
                             std::shared_ptr<KernelCache> disk)
    : device_(std::move(device)),
      options_(std::move(options)),
      target_(target_key(options_)),
      disk_(std::move(disk)) {}

Result<std::shared_ptr<const Library>> PipelineCache::compile(msl::Source source,
                                                              const msl::CompileOptions& options) {
  msl::CompileOptions needed = options;
  needed.debug_info = needed_debug_info(options_);
  if (options_.debug) {
    source = make_debug_source(std::move(source), disk_ ? disk_->folder().path() : "");
  }
  const base::Hash128 key = source_key(source, needed);
  return libraries_.get(key, [&] { return compile_library(std::move(source), needed, disk_); });
}

Result<LoadedKernelPtr> PipelineCache::get(const Library& library, std::string_view kernel,
                                           std::span<const codegen::ConstantValue> constants) {
  Result<Pipeline> pipeline = get_pipeline(library, kernel, constants);
  if (!pipeline) return pipeline.error();
  return std::move(pipeline->kernel);
}

Result<Pipeline> PipelineCache::get_pipeline(const Library& library, std::string_view kernel,
                                             std::span<const codegen::ConstantValue> constants) {
  const KernelRequest request{library.content(), target_, kernel, constants};
  const base::Hash128 key = kernel_key(request);
  return pipelines_.get(key, [&] { return load_or_build(library, request, key); });
}

Result<Pipeline> PipelineCache::load_or_build(const Library& library, const KernelRequest& request,
                                              const base::Hash128& key) const {
  const uint64_t start_ns = device::now_ns();
  KernelCache* disk = disk_.get();
  if (disk != nullptr) {
    if (std::optional<kernel::KernelImage> image = disk->find_kernel(key)) {
      image->origin = make_origin(library, request, start_ns, true);
      if (auto loaded = device_->load(*image)) return describe(std::move(*loaded), *image, true);
      disk->remove_kernel(key);
    }
  }
  Result<kernel::KernelImage> image = build(library, request);
  if (!image) return image.error();
  image->origin = make_origin(library, request, start_ns, false);
  Result<std::shared_ptr<device::LoadedKernel>> loaded = device_->load(*image);
  if (!loaded) return loaded.error();
  if (disk != nullptr) disk->store_kernel(key, *image);
  return describe(std::move(*loaded), *image, false);
}

Result<kernel::KernelImage> PipelineCache::build(const Library& library,
                                                 const KernelRequest& request) const {
  const msl::Reflection& compiled = library.compiled();
  const kernel::KernelInfo* info = compiled.find_kernel(request.kernel);
  if (info == nullptr) return unknown_kernel(compiled, request.kernel);
  const Result<std::string_view> bitcode = library.bitcode();
  if (!bitcode) return bitcode.error();
  Result<codegen::BuildOutput> output = codegen::build_cpu_kernel(
      *bitcode, *info, compiled.function_constants, request.constants, options_);
  if (!output) return output.error();
  return std::move(output->image);
}

}  // namespace assay::pipeline
