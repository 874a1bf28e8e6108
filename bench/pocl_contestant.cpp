// See pocl_contestant.h.
#define CL_TARGET_OPENCL_VERSION 120
#include "bench/pocl_contestant.h"

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

class PoclContestant : public Contestant {
 public:
  PoclContestant(const Workload& workload, const Platform& platform)
      : workload_(workload), platform_(platform) {}
  ~PoclContestant() override {
    for (size_t i = 0; i < buffers_.size(); ++i) {
      clEnqueueUnmapMemObject(platform_.queue, buffers_[i], contents_[i].data(), 0, nullptr,
                              nullptr);
      clReleaseMemObject(buffers_[i]);
    }
    clFinish(platform_.queue);
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
    for (Bytes bytes : contents_) std::ranges::fill(bytes, std::byte{0});
    workload_.fill(contents_);
    return {};
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
    return workload_.check(std::vector<ConstBytes>(contents_.begin(), contents_.end()));
  }

 private:
  // Buffers stay mapped: host and device share their memory.
  Result<void> set_arguments() {
    cl_uint index = 0;
    for (uint64_t bytes : workload_.buffer_bytes) {
      cl_int code = CL_SUCCESS;
      cl_mem buffer =
          clCreateBuffer(platform_.context, CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &code);
      if (code != CL_SUCCESS) return opencl_error("cannot make a buffer", code);
      void* data = clEnqueueMapBuffer(platform_.queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                      0, bytes, 0, nullptr, nullptr, &code);
      if (code != CL_SUCCESS) return opencl_error("cannot map a buffer", code);
      buffers_.push_back(buffer);
      contents_.emplace_back(static_cast<std::byte*>(data), bytes);
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
  std::vector<Bytes> contents_;
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

Result<std::unique_ptr<Contestant>> make_pocl(const Workload& workload) {
  const Result<Platform>& platform = shared_platform();
  if (!platform) return platform.error();
  auto contestant = std::make_unique<PoclContestant>(workload, *platform);
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
  PoclContestant contestant(workload, *platform);
  if (Result<void> built = contestant.build(small_kernel(number)); !built) return built.error();
  if (Result<void> launched = contestant.launch(); !launched) return launched.error();
  return nanoseconds(clock) - start;
}

}  // namespace assay::bench
