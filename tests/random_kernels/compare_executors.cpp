// See compare_executors.h.
#include "tests/random_kernels/compare_executors.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "base/result.h"
#include "codegen/build_kernel.h"
#include "device/cpu/cpu_device.h"
#include "fmt/format.h"
#include "pipeline/library.h"
#include "pipeline/pipeline_cache.h"
#include "sanitizer/check_service.h"

namespace assay::testing {
namespace {

using fmt::format;

constexpr uint32_t kOutputs = 6;  // buffers 0 to 5, in the order of kOutputNames
constexpr const char* kOutputNames[kOutputs] = {"out32", "out8",      "out16",
                                                "out64", "out_float", "counters"};
constexpr uint32_t kElementBytes[kOutputs] = {4, 1, 2, 8, 4, 4};
constexpr uint32_t kParameterBuffer = 13;

// As struct Params of the kernels.
struct Parameters {
  uint32_t n = 0;
  uint32_t stride = 0;
  uint32_t a = 0, b = 0, c = 0;
  float f = 0;
  uint64_t d = 0;
};

using Bytes = std::vector<std::byte>;

// A kind of code that must do the same as the others.
struct Variant {
  const char* name;
  kernel::Executor executor;
  bool checked;
};
constexpr Variant kVariants[] = {
    {"reference", kernel::Executor::kReference, false},
    {"vector", kernel::Executor::kVector, false},
    {"checked reference", kernel::Executor::kReference, true},
    {"checked vector", kernel::Executor::kVector, true},
};

std::shared_ptr<device::cpu::CpuDevice> create_device() {
  device::cpu::CpuOptions options;
  options.threads = 2;
  options.poison_threadgroup_memory = true;
  return *device::cpu::CpuDevice::create(options);
}

// What checks have found since the last take_findings().
std::vector<std::string>& findings() {
  static std::vector<std::string> findings;
  return findings;
}

// Several threads may write the same value: that is only noted. What lanes take from others that
// are not active is undefined in Metal; here both executors have to give the same.
void note_finding(const sanitizer::Finding& found) {
  if (found.severity == sanitizer::Severity::kNote || found.rule == "missing-lane") return;
  findings().push_back(format("line {}: {} [{}]", found.place.line, found.message, found.rule));
}

std::string take_findings() {
  std::string text;
  for (const std::string& each : std::exchange(findings(), {})) text += each + "\n";
  return text;
}

device::cpu::CpuDevice& test_device(bool checked) {
  static const auto plain_device = create_device();
  static const auto checked_device = [] {
    auto device = create_device();
    // Generated kernels divide by anything and store what comes out.
    const auto checks = sanitizer::parse_checks("all,-arithmetic,-nonfinite");
    sanitizer::CheckService::attach(*device, {.checks = *checks}, note_finding);
    return device;
  }();
  return checked ? *checked_device : *plain_device;
}

Bytes random_bytes(std::mt19937_64& random, size_t count) {
  Bytes bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() >> 40);
  return bytes;
}

// Numbers of all magnitudes that occur in practice, without NaN.
float random_float(std::mt19937_64& random) {
  const auto mantissa = static_cast<float>(static_cast<int32_t>(random() >> 32));
  return std::ldexp(mantissa, -31 + static_cast<int>(random() % 24) - 8);
}

// IEEE half bits of magnitude below 2^13, also subnormal ones.
uint16_t random_half(std::mt19937_64& random) {
  return static_cast<uint16_t>((random() & 0x83ff) | (random() % 28) << 10);
}

// Contents of all buffers before a launch, in slot order.
std::vector<Bytes> initial_buffers(const GeneratedKernel& kernel, const kernel::LaunchSize& size) {
  std::mt19937_64 random(kernel.data_seed);
  const auto n = static_cast<uint32_t>(size.threads_per_grid().count());
  Parameters parameters{.n = n, .stride = 4 * n + 16};
  const OutputRegions& used = kernel.regions;
  const uint32_t regions[kOutputs] = {used.words, used.bytes,  used.shorts,
                                      used.longs, used.floats, 0};
  std::vector<Bytes> buffers;
  for (uint32_t i = 0; i < kOutputs; ++i) {
    const size_t elements = size_t{regions[i]} * parameters.stride + 8 * used.counters + 1;
    buffers.emplace_back(elements * kElementBytes[i], std::byte{0x5a});
  }
  const size_t inputs = 4 * n + 1100;
  for (size_t bytes : {4, 1, 2, 8}) buffers.push_back(random_bytes(random, inputs * bytes));
  Bytes floats(inputs * 4);
  Bytes halves(inputs * 2);
  for (size_t i = 0; i < inputs; ++i) {
    const float real = random_float(random);
    const uint16_t half = random_half(random);
    std::memcpy(&floats[4 * i], &real, 4);
    std::memcpy(&halves[2 * i], &half, 2);
  }
  buffers.push_back(std::move(floats));
  buffers.push_back(std::move(halves));
  buffers.push_back(random_bytes(random, inputs * 4));
  parameters.a = static_cast<uint32_t>(random() % 64);
  parameters.b = static_cast<uint32_t>(random());
  parameters.c = static_cast<uint32_t>(random() % 5);
  parameters.f = random_float(random);
  parameters.d = random();
  const auto bytes = std::as_bytes(std::span(&parameters, 1));
  buffers.emplace_back(bytes.begin(), bytes.end());
  return buffers;
}

Result<std::shared_ptr<device::LoadedKernel>> load(const pipeline::Library& library,
                                                   const GeneratedKernel& kernel,
                                                   const codegen::BuildOptions& options,
                                                   std::string& fallback) {
  const msl::Reflection& compiled = library.compiled();
  std::vector<codegen::ConstantValue> values;
  for (const kernel::FunctionConstant& constant : compiled.function_constants) {
    const std::string suffix = kernel.name.substr(1);
    for (size_t i = 0; i < kernel.constants.size(); ++i) {
      const char* names[] = {"kNumber_", "kFlag_"};
      if (constant.name != names[i] + suffix) continue;
      auto value = pipeline::parse_constant(constant, kernel.constants[i]);
      if (!value) return value.error();
      values.push_back(std::move(*value));
    }
  }
  const kernel::KernelInfo* info = compiled.find_kernel(kernel.name);
  if (!info) return Error{"the library lacks " + kernel.name};
  auto bitcode = library.bitcode();
  if (!bitcode) return bitcode.error();
  auto built =
      codegen::build_cpu_kernel(*bitcode, *info, compiled.function_constants, values, options);
  if (!built) return built.error();
  fallback = built->image.fallback_reason;
  return test_device(options.checked).load(built->image);
}

// The output buffers after the launch.
Result<std::vector<Bytes>> run(device::Device& device,
                               const std::shared_ptr<device::LoadedKernel>& kernel,
                               const std::vector<Bytes>& contents, const kernel::LaunchSize& size) {
  device::Bindings bindings;
  std::vector<std::shared_ptr<device::Buffer>> buffers;
  for (uint32_t slot = 0; slot < contents.size(); ++slot) {
    if (slot == kParameterBuffer) {
      bindings.bytes(slot, contents[slot]);
      continue;
    }
    auto buffer = device.allocate(contents[slot].size());
    if (!buffer) return buffer.error();
    std::memcpy((*buffer)->data(), contents[slot].data(), contents[slot].size());
    bindings.buffer(slot, *buffer);
    buffers.push_back(*buffer);
  }
  auto queue = device.create_queue();
  if (!queue) return queue.error();
  auto commands = (*queue)->command_buffer();
  auto encoded = commands->dispatch(kernel, std::move(bindings), size);
  if (!encoded) return encoded.error();
  (*queue)->submit(std::move(commands));
  auto finished = (*queue)->wait();
  if (!finished) return finished.error();
  std::vector<Bytes> outputs;
  for (uint32_t i = 0; i < kOutputs; ++i) {
    const auto* data = static_cast<const std::byte*>(buffers[i]->data());
    outputs.emplace_back(data, data + contents[i].size());
  }
  return outputs;
}

// What differs first, in words; empty when nothing does.
std::string difference(const std::vector<Bytes>& reference, const std::vector<Bytes>& other,
                       const Variant& variant, uint32_t stride) {
  for (uint32_t i = 0; i < kOutputs; ++i) {
    const auto [left, right] = std::ranges::mismatch(reference[i], other[i]);
    if (left == reference[i].end()) continue;
    const uint32_t bytes = kElementBytes[i];
    const size_t element = static_cast<size_t>(left - reference[i].begin()) / bytes;
    uint64_t values[2] = {};
    std::memcpy(&values[0], &reference[i][element * bytes], bytes);
    std::memcpy(&values[1], &other[i][element * bytes], bytes);
    return format("{}[{}] (element {} of region {}): reference {:#x}, {} {:#x}", kOutputNames[i],
                  element, element % stride, element / stride, values[0], variant.name, values[1]);
  }
  return "";
}

std::string describe(const kernel::LaunchSize& size) {
  return format("grid {}x{}x{}, threadgroup {}x{}x{}", size.grid.x, size.grid.y, size.grid.z,
                size.threadgroup.x, size.threadgroup.y, size.threadgroup.z);
}

// The results of all variants for one launch. Empty when they agree.
std::string compare_launch(std::span<const std::shared_ptr<device::LoadedKernel>> loaded,
                           const GeneratedKernel& kernel, const kernel::LaunchSize& size) {
  const std::vector<Bytes> contents = initial_buffers(kernel, size);
  Parameters parameters;
  std::memcpy(&parameters, contents[kParameterBuffer].data(), sizeof parameters);
  std::vector<Bytes> expected;
  for (size_t i = 0; i < loaded.size(); ++i) {
    const Variant& variant = kVariants[i];
    auto outputs = run(test_device(variant.checked), loaded[i], contents, size);
    if (!outputs) return format("{}: {}", variant.name, outputs.error().message);
    if (const std::string found = take_findings(); !found.empty()) {
      return format("{}: {}", variant.name, found);
    }
    if (i == 0) expected = std::move(*outputs);
    const std::string differs =
        i == 0 ? "" : difference(expected, *outputs, variant, parameters.stride);
    if (!differs.empty()) return differs;
  }
  return "";
}

// Empty when the executors agree.
std::string compare(const pipeline::Library& library, const GeneratedKernel& kernel,
                    const CompareOptions& options, std::vector<std::string>& fallbacks) {
  std::vector<std::shared_ptr<device::LoadedKernel>> loaded;
  for (const Variant& variant : kVariants) {
    if (variant.checked && !options.checks) continue;
    codegen::BuildOptions build;
    build.executor = variant.executor;
    build.checked = variant.checked;
    build.cpu = options.cpu;
    build.verify = true;
    std::string fallback;
    auto result = load(library, kernel, build, fallback);
    if (!result) return format("{}: {}", variant.name, result.error().message);
    if (!fallback.empty()) fallbacks.push_back(fallback);
    loaded.push_back(*result);
  }
  for (const kernel::LaunchSize& size : kernel.launches) {
    const std::string differs = compare_launch(loaded, kernel, size);
    if (!differs.empty()) return describe(size) + ": " + differs;
  }
  return "";
}

}  // namespace

Comparison compare_executors(std::span<const GeneratedKernel> kernels,
                             const CompareOptions& options) {
  Comparison comparison;
  std::string source = kernel_prelude();
  for (const GeneratedKernel& kernel : kernels) source += kernel.source;
  msl::CompileOptions compile;
  if (options.checks) compile.debug_info = msl::DebugInfo::kLines;
  auto library = pipeline::compile_library({"random.metal", source}, compile);
  if (!library) {
    comparison.failures.push_back({0, library.error().message + "\n" + source});
    return comparison;
  }
  for (size_t i = 0; i < kernels.size(); ++i) {
    const GeneratedKernel& kernel = kernels[i];
    const std::string failure = compare(**library, kernel, options, comparison.fallbacks);
    if (failure.empty()) continue;
    std::string constants;
    for (const std::string& value : kernel.constants) constants += " " + value;
    comparison.failures.push_back(
        {i, format("// {}: {}\n// constants:{}, data seed {}\n{}{}", kernel.name, failure,
                   constants, kernel.data_seed, kernel_prelude(), kernel.source)});
  }
  return comparison;
}

}  // namespace assay::testing
