// PoCL's time from source text to a finished first launch, for compile_latency_bench. A program of
// its own: PoCL brings another LLVM, which must not share a process with ours. Prints "FIRST
// MEDIAN" in ms.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string opencl_source(int number) {
  return "kernel void k(global const float* x, global float* y, float a) {\n"
         "  size_t i = get_global_id(0); y[i] = exp(x[i]) * a + " +
         std::to_string(number) + "; }\n";
}

struct Peer {
  cl_context context = nullptr;
  cl_device_id device = nullptr;
  cl_command_queue queue = nullptr;
};

bool open_peer(Peer& peer) {
  cl_platform_id platform = nullptr;
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS) return false;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &peer.device, nullptr) != CL_SUCCESS)
    return false;
  peer.context = clCreateContext(nullptr, 1, &peer.device, nullptr, nullptr, nullptr);
  peer.queue = clCreateCommandQueue(peer.context, peer.device, 0, nullptr);
  return peer.context != nullptr && peer.queue != nullptr;
}

// PoCL generates code at the first launch, so one tiny launch is part of it.
double peer_once(const Peer& peer, int number) {
  auto start = Clock::now();
  std::string text = opencl_source(number);
  const char* source = text.c_str();
  cl_program program = clCreateProgramWithSource(peer.context, 1, &source, nullptr, nullptr);
  if (clBuildProgram(program, 1, &peer.device, "", nullptr, nullptr) != CL_SUCCESS) return -1;
  cl_kernel kernel = clCreateKernel(program, "k", nullptr);
  std::vector<float> data(64);
  cl_mem memory = clCreateBuffer(peer.context, CL_MEM_USE_HOST_PTR, data.size() * sizeof(float),
                                 data.data(), nullptr);
  float a = 1;
  clSetKernelArg(kernel, 0, sizeof memory, &memory);
  clSetKernelArg(kernel, 1, sizeof memory, &memory);
  clSetKernelArg(kernel, 2, sizeof a, &a);
  size_t global = data.size();
  clEnqueueNDRangeKernel(peer.queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
  clFinish(peer.queue);
  double elapsed = milliseconds_since(start);
  clReleaseMemObject(memory);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  return elapsed;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

int main() {
  constexpr int kRounds = 15;
  Peer peer;
  if (!open_peer(peer)) return 1;
  double first = peer_once(peer, 0);
  std::vector<double> later;
  for (int i = 1; i <= kRounds; ++i) later.push_back(peer_once(peer, i));
  std::printf("%f %f\n", first, median(later));
  return 0;
}
