// From source text to runnable code: assay and PoCL on the same small kernel, a new one each time, in
// one process. Prints both and their ratio.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "device/cpu/cpu_device.h"
#include "pipeline/library.h"
#include "pipeline/pipeline_cache.h"

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// The number makes each source new to every cache.
std::string metal_source(int number) {
  return "#include <metal_stdlib>\nusing namespace metal;\n"
         "kernel void k(const device float* x, device float* y, constant float& a,\n"
         "              uint i [[thread_position_in_grid]]) { y[i] = exp(x[i]) * a + " +
         std::to_string(number) + "; }\n";
}

std::string opencl_source(int number) {
  return "kernel void k(global const float* x, global float* y, float a) {\n"
         "  size_t i = get_global_id(0); y[i] = exp(x[i]) * a + " +
         std::to_string(number) + "; }\n";
}

double assay_once(assay::pipeline::PipelineCache& pipelines, int number) {
  auto start = Clock::now();
  auto library = assay::pipeline::compile_library({"bench.metal", metal_source(number)});
  if (!library || !pipelines.get(**library, "k")) return -1;
  return milliseconds_since(start);
}

struct Peer {
  cl_context context = nullptr;
  cl_device_id device = nullptr;
  cl_command_queue queue = nullptr;
};

bool open_peer(Peer& peer) {
  cl_platform_id platform = nullptr;
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS) return false;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &peer.device, nullptr) != CL_SUCCESS) return false;
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

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  // An empty folder of its own: PoCL must not find kernels of earlier runs.
  std::filesystem::path cache = std::filesystem::temp_directory_path() / "assay_bench_pocl";
  std::filesystem::remove_all(cache);
  std::filesystem::create_directories(cache);
  setenv("POCL_CACHE_DIR", cache.c_str(), 1);

  auto device = assay::device::cpu::CpuDevice::create();
  if (!device) return std::fprintf(stderr, "%s\n", device.error().message.c_str()), 1;
  assay::pipeline::PipelineCache pipelines(*device);
  constexpr int kRounds = 15;
  std::vector<double> ours;
  double first = assay_once(pipelines, 0);
  for (int i = 1; i <= kRounds; ++i) ours.push_back(assay_once(pipelines, i));
  std::printf("new kernel, text to runnable code (ms)\n");
  std::printf("  assay   first %.1f  median %.1f\n", first, median(ours));
  Peer peer;
  if (!open_peer(peer)) {
    std::printf("  PoCL    not installed: make bench installs it\n");
    return 0;
  }
  double peer_first = peer_once(peer, 0);
  std::vector<double> theirs;
  for (int i = 1; i <= kRounds; ++i) theirs.push_back(peer_once(peer, i));
  std::printf("  PoCL    first %.1f  median %.1f\n", peer_first, median(theirs));
  std::printf("  PoCL / assay: first %.2fx, median %.2fx\n", peer_first / first,
              median(theirs) / median(ours));
  std::filesystem::remove_all(cache);
  return 0;
}
