// See opencl_contestant.h.
#define CL_TARGET_OPENCL_VERSION 120
#include "bench/opencl_contestant.h"

#include <CL/cl.h>

#include <algorithm>
#include <array>

namespace assay::bench {
namespace {

Error opencl_error(std::string_view what, cl_int code) {
  return Error{std::string(what) + ": OpenCL error " + std::to_string(code)};
}

// Lives as long as the process, like everything made from it.
struct Platform {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
};

Result<Platform> open_platform() {
  Platform opened;
  cl_platform_id platform = nullptr;
  if (cl_int code = clGetPlatformIDs(1, &platform, nullptr); code != CL_SUCCESS)
    return opencl_error("no OpenCL platform", code);
  cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &opened.device, nullptr);
  if (code != CL_SUCCESS) return opencl_error("no OpenCL device", code);
  opened.context = clCreateContext(nullptr, 1, &opened.device, nullptr, nullptr, &code);
  if (code != CL_SUCCESS) return opencl_error("cannot make a context", code);
  opened.queue = clCreateCommandQueue(opened.context, opened.device, 0, &code);
  if (code != CL_SUCCESS) return opencl_error("cannot make a queue", code);
  return opened;
}

class OpenClContestant : public Contestant {
 public:
  OpenClContestant(const Workload& workload, const Platform& platform)
      : workload_(workload), platform_(platform) {}
  ~OpenClContestant() override {
    for (cl_mem buffer : buffers_) clReleaseMemObject(buffer);
    if (kernel_ != nullptr) clReleaseKernel(kernel_);
    if (program_ != nullptr) clReleaseProgram(program_);
  }

  Result<void> build(const std::string& text) {
    const char* source = text.c_str();
    cl_int code = CL_SUCCESS;
    program_ = clCreateProgramWithSource(platform_.context, 1, &source, nullptr, &code);
    if (code != CL_SUCCESS) return opencl_error("cannot make the program", code);
    code = clBuildProgram(program_, 1, &platform_.device, "", nullptr, nullptr);
    if (code != CL_SUCCESS) return opencl_error("cannot build the program", code);
    kernel_ = clCreateKernel(program_, workload_.name.c_str(), &code);
    if (code != CL_SUCCESS) return opencl_error("cannot make the kernel", code);
    return set_arguments();
  }

  Result<void> fill() override {
    return with_contents(CL_MAP_WRITE, [this](std::span<const Bytes> contents) {
      for (Bytes bytes : contents) std::ranges::fill(bytes, std::byte{0});
      workload_.fill(contents);
    });
  }

  Result<void> launch() override {
    const auto [groups_x, groups_y] = workload_.groups;
    const std::array<size_t, 2> group = {workload_.group_size.x, workload_.group_size.y};
    const std::array<size_t, 2> grid = {groups_x * group[0], groups_y * group[1]};
    cl_uint dimensions = grid[1] == 1 ? 1 : 2;
    cl_int code = clEnqueueNDRangeKernel(platform_.queue, kernel_, dimensions, nullptr, grid.data(),
                                         group.data(), 0, nullptr, nullptr);
    if (code == CL_SUCCESS) code = clFinish(platform_.queue);
    if (code != CL_SUCCESS) return opencl_error("the launch failed", code);
    return {};
  }

  Result<std::string> check() override {
    std::string difference;
    Result<void> read = with_contents(CL_MAP_READ, [&](std::span<const Bytes> contents) {
      difference = workload_.check(std::vector<ConstBytes>(contents.begin(), contents.end()));
    });
    if (!read) return read.error();
    return difference;
  }

 private:
  // Mapped only meanwhile: Oclgrind takes what is written to be there when it is unmapped.
  template <typename Use>
  Result<void> with_contents(cl_map_flags flags, const Use& use) {
    std::vector<Bytes> contents;
    for (size_t i = 0; i < buffers_.size(); ++i) {
      const uint64_t bytes = workload_.buffer_bytes[i];
      cl_int code = CL_SUCCESS;
      void* data = clEnqueueMapBuffer(platform_.queue, buffers_[i], CL_TRUE, flags, 0, bytes, 0,
                                      nullptr, nullptr, &code);
      if (code != CL_SUCCESS) return opencl_error("cannot map a buffer", code);
      contents.emplace_back(static_cast<std::byte*>(data), bytes);
    }
    use(contents);
    for (size_t i = 0; i < buffers_.size(); ++i) {
      clEnqueueUnmapMemObject(platform_.queue, buffers_[i], contents[i].data(), 0, nullptr,
                              nullptr);
    }
    clFinish(platform_.queue);
    return {};
  }

  Result<void> set_arguments() {
    cl_uint index = 0;
    for (uint64_t bytes : workload_.buffer_bytes) {
      cl_int code = CL_SUCCESS;
      cl_mem buffer =
          clCreateBuffer(platform_.context, CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &code);
      if (code != CL_SUCCESS) return opencl_error("cannot make a buffer", code);
      buffers_.push_back(buffer);
      clSetKernelArg(kernel_, index++, sizeof buffer, &buffer);
    }
    for (uint32_t value : workload_.values) clSetKernelArg(kernel_, index++, sizeof value, &value);
    return {};
  }

  const Workload& workload_;
  const Platform& platform_;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
  std::vector<cl_mem> buffers_;
};

const Result<Platform>& shared_platform() {
  static const Result<Platform> platform = open_platform();
  return platform;
}

std::string small_kernel(unsigned number) {
  return "kernel void k(global const float* x, global float* y, float a) {\n"
         "  size_t i = get_global_id(0); y[i] = exp(x[i]) * a + " +
         std::to_string(number) + "; }\n";
}

}  // namespace

Result<std::unique_ptr<Contestant>> make_opencl(const Workload& workload) {
  const Result<Platform>& platform = shared_platform();
  if (!platform) return platform.error();
  auto contestant = std::make_unique<OpenClContestant>(workload, *platform);
  if (Result<void> built = contestant->build(read_kernel(workload.name + ".cl")); !built)
    return built.error();
  return std::unique_ptr<Contestant>(std::move(contestant));
}

Result<double> compile_with_pocl(unsigned number, Clock clock) {
  static const Workload workload = {.name = "k",
                                    .buffer_bytes = {256, 256},
                                    .values = {0},
                                    .group_size = {64},
                                    .fill = {},
                                    .check = {}};
  const Result<Platform>& platform = shared_platform();
  if (!platform) return platform.error();
  const double start = nanoseconds(clock);
  OpenClContestant contestant(workload, *platform);
  if (Result<void> built = contestant.build(small_kernel(number)); !built) return built.error();
  if (Result<void> launched = contestant.launch(); !launched) return launched.error();
  return nanoseconds(clock) - start;
}

}  // namespace assay::bench
