// See pipeline_cache.h.
#include "pipeline/pipeline_cache.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace assay::pipeline {
namespace {

std::string key_text(std::span<const codegen::ConstantValue> constants) {
  std::vector<std::string> parts;
  for (const codegen::ConstantValue& value : constants) {
    parts.push_back(fmt::format("{}:{}={}", value.name.empty() ? value.index : 0, value.name,
                                fmt::join(value.bytes, ".")));
  }
  std::ranges::sort(parts);
  return fmt::format("{}", fmt::join(parts, ";"));
}

Error unknown_kernel(const msl::Library& library, std::string_view kernel) {
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

}  // namespace

PipelineCache::PipelineCache(std::shared_ptr<device::Device> device, codegen::BuildOptions options)
    : device_(std::move(device)), options_(std::move(options)) {}

Result<LoadedKernelPtr> PipelineCache::get(const Library& library, std::string_view kernel,
                                           std::span<const codegen::ConstantValue> constants) {
  Key key{library.id(), std::string(kernel), key_text(constants)};
  std::promise<Result<LoadedKernelPtr>> promise;
  Slot slot;
  bool is_builder = false;
  {
    std::lock_guard lock(mutex_);
    auto [entry, is_new] = slots_.try_emplace(key);
    if (is_new) entry->second = promise.get_future().share();
    slot = entry->second;
    is_builder = is_new;
  }
  if (!is_builder) return slot.get();
  Result<LoadedKernelPtr> built = build(library, kernel, constants);
  if (!built) {
    // A failure is not kept: the next call may come with more time or memory.
    std::lock_guard lock(mutex_);
    slots_.erase(key);
  }
  promise.set_value(built);
  return built;
}

Result<LoadedKernelPtr> PipelineCache::build(
    const Library& library, std::string_view kernel,
    std::span<const codegen::ConstantValue> constants) const {
  const kernel::KernelInfo* info = library.compiled().find_kernel(kernel);
  if (info == nullptr) return unknown_kernel(library.compiled(), kernel);
  Result<codegen::BuildOutput> output =
      codegen::build_cpu_kernel(library.compiled().bitcode, *info,
                                library.compiled().function_constants, constants, options_);
  if (!output) return output.error();
  Result<std::shared_ptr<device::LoadedKernel>> loaded = device_->load(output->image);
  if (!loaded) return loaded.error();
  return LoadedKernelPtr(std::move(*loaded));
}

}  // namespace assay::pipeline
