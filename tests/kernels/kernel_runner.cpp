// See kernel_runner.h.
#include "tests/kernels/kernel_runner.h"

#include "base/settings.h"
#include "gtest/gtest.h"
#include "pipeline/build_options.h"
#include "sanitizer/check_service.h"

namespace assay::testing {
namespace {

base::Settings test_settings() {
  Result<base::Settings> settings = base::load_settings();
  if (!settings) throw std::runtime_error(settings.error().message);
  return *std::move(settings);
}

// The kernels of the suite are right: whatever a check says of them is a false alarm.
void attach_checks(device::Device& device) {
  const base::Settings settings = test_settings();
  if (settings.checks.empty()) return;
  const Result<sanitizer::CheckSet> checks = sanitizer::parse_checks(settings.checks);
  if (!checks) throw std::runtime_error(checks.error().message);
  sanitizer::CheckService::attach(device, {.checks = *checks}, [](const sanitizer::Finding& found) {
    ADD_FAILURE() << found.place.line << ":" << found.place.column << ": " << found.message << " ["
                  << found.rule << "] " << found.place.text;
  });
}

device::cpu::CpuDevice& test_device() {
  static std::shared_ptr<device::cpu::CpuDevice> device = [] {
    device::cpu::CpuOptions options;
    options.threads = 3;
    options.poison_threadgroup_memory = true;
    auto created = *device::cpu::CpuDevice::create(options);
    attach_checks(*created);
    return created;
  }();
  return *device;
}

// ASSAY_EXECUTOR, ASSAY_CPU and ASSAY_CHECK choose the code that is tested.
codegen::BuildOptions build_options() {
  codegen::BuildOptions options = pipeline::build_options(test_settings());
  options.verify = true;
  return options;
}

pipeline::PipelineCache& test_pipelines() {
  static pipeline::PipelineCache cache(
      std::static_pointer_cast<device::Device>(
          std::shared_ptr<device::Device>(std::shared_ptr<void>(), &test_device())),
      build_options());
  return cache;
}

std::string full_source(const KernelLaunch& launch) {
  return "#include <metal_stdlib>\nusing namespace metal;\n" + launch.source;
}

// Many tests run one source at several sizes; it is compiled once.
Result<std::shared_ptr<const pipeline::Library>> library_for(const KernelLaunch& launch) {
  static std::map<std::string, std::shared_ptr<const pipeline::Library>> libraries;
  std::string key = launch.source;
  for (const auto& [name, text] : launch.defines) key += "\n" + name + "=" + text;
  if (auto found = libraries.find(key); found != libraries.end()) return found->second;
  msl::CompileOptions options;
  options.defines = launch.defines;
  options.debug_info = pipeline::needed_debug_info(pipeline::build_options(test_settings()));
  auto library = pipeline::compile_library({"test.metal", full_source(launch)}, options);
  if (library) libraries[key] = *library;
  return library;
}

Result<std::vector<codegen::ConstantValue>> constants_for(const KernelLaunch& launch,
                                                          const msl::Reflection& library) {
  std::vector<codegen::ConstantValue> values;
  for (const auto& [name, text] : launch.constants) {
    for (const kernel::FunctionConstant& constant : library.function_constants) {
      if (constant.name != name) continue;
      auto value = pipeline::parse_constant(constant, text);
      if (!value) return value.error();
      values.push_back(std::move(*value));
    }
  }
  return values;
}

struct Bound {
  device::Bindings bindings;
  std::vector<std::shared_ptr<device::Buffer>> buffers;  // one per argument; null where none
};

void write_addresses(std::span<const KernelArgument> arguments,
                     const std::vector<std::shared_ptr<device::Buffer>>& buffers) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    for (const auto& [offset, target] : arguments[i].addresses) {
      void* address = buffers.at(target)->data();
      std::memcpy(static_cast<std::byte*>(buffers[i]->data()) + offset, &address, sizeof address);
    }
  }
}

Result<Bound> bind_arguments(const kernel::KernelInfo& info,
                             std::span<const KernelArgument> arguments) {
  Bound bound;
  std::vector<uint32_t> buffer_slots;
  std::vector<uint32_t> threadgroup_slots;
  for (const kernel::Argument& argument : info.arguments) {
    if (argument.kind == kernel::ArgumentKind::kBuffer) buffer_slots.push_back(argument.slot);
    if (argument.kind == kernel::ArgumentKind::kThreadgroupMemory) {
      threadgroup_slots.push_back(argument.slot);
    }
  }
  std::ranges::sort(buffer_slots);
  std::ranges::sort(threadgroup_slots);
  size_t next_buffer = 0;
  size_t next_threadgroup = 0;
  for (const KernelArgument& argument : arguments) {
    bound.buffers.emplace_back();
    if (argument.kind == KernelArgument::Kind::kThreadgroup) {
      bound.bindings.threadgroup_memory(threadgroup_slots.at(next_threadgroup++),
                                        argument.threadgroup_bytes);
      continue;
    }
    bool is_detached = argument.kind == KernelArgument::Kind::kDetached;
    uint32_t slot = is_detached ? 0 : buffer_slots.at(next_buffer++);
    if (argument.kind == KernelArgument::Kind::kNothing) continue;
    if (argument.kind == KernelArgument::Kind::kBytes) {
      bound.bindings.bytes(slot, argument.bytes);
      continue;
    }
    auto buffer = test_device().allocate(argument.bytes.size());
    if (!buffer) return buffer.error();
    if (!argument.bytes.empty()) {
      std::memcpy((*buffer)->data(), argument.bytes.data(), argument.bytes.size());
    }
    if (!is_detached) bound.bindings.buffer(slot, *buffer);
    bound.buffers.back() = *buffer;
  }
  write_addresses(arguments, bound.buffers);
  return bound;
}

Result<void> run(const KernelLaunch& launch, std::vector<KernelArgument>& arguments) {
  auto library = library_for(launch);
  if (!library) return library.error();
  auto constants = constants_for(launch, (*library)->compiled());
  if (!constants) return constants.error();
  auto kernel = test_pipelines().get(**library, launch.kernel, *constants);
  if (!kernel) return kernel.error();
  auto bound = bind_arguments((*kernel)->info(), arguments);
  if (!bound) return bound.error();
  auto queue = test_device().create_queue();
  if (!queue) return queue.error();
  auto commands = (*queue)->command_buffer();
  kernel::LaunchSize size{.grid = launch.grid, .threadgroup = launch.threadgroup};
  auto encoded = commands->dispatch(*kernel, std::move(bound->bindings), size);
  if (!encoded) return encoded.error();
  (*queue)->submit(std::move(commands));
  auto finished = (*queue)->wait();
  if (!finished) return finished.error();
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (bound->buffers[i] && arguments[i].copy_back && !arguments[i].bytes.empty()) {
      std::memcpy(arguments[i].copy_back, bound->buffers[i]->data(), arguments[i].bytes.size());
    }
  }
  return {};
}

}  // namespace

std::string try_kernel(const KernelLaunch& launch, std::vector<KernelArgument>& arguments) {
  Result<void> result = run(launch, arguments);
  return result ? "" : result.error().message;
}

void run_kernel(const KernelLaunch& launch, std::vector<KernelArgument> arguments) {
  std::string error = try_kernel(launch, arguments);
  EXPECT_EQ(error, "");
}

}  // namespace assay::testing
