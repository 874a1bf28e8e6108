// Compiles an MSL source, runs one of its kernels on the CPU device and hands the buffers back: the
// whole engine in one call, for tests that compare kernels with plain C++ loops.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codegen/build_kernel.h"
#include "device/cpu/cpu_device.h"
#include "kernel/dispatch.h"
#include "pipeline/library.h"
#include "pipeline/pipeline_cache.h"

namespace assay::testing {

// One argument in slot order. Buffers are copied in and, after the run, back out.
struct KernelArgument {
  enum class Kind { kBuffer, kDetached, kBytes, kThreadgroup, kNothing };
  Kind kind = Kind::kBuffer;
  std::vector<std::byte> bytes;
  uint64_t threadgroup_bytes = 0;
  void* copy_back = nullptr;  // where a buffer's contents go after the run
  // Byte offsets in this buffer, and the arguments (by position) whose addresses go there.
  std::vector<std::pair<size_t, size_t>> addresses = {};
};

// A buffer with the vector's contents, which the kernel may change.
template <typename T>
KernelArgument buffer(std::vector<T>& values) {
  KernelArgument argument;
  auto bytes = std::as_bytes(std::span(values));
  argument.bytes.assign(bytes.begin(), bytes.end());
  argument.copy_back = values.data();
  return argument;
}

// Takes no slot: only the addresses in other buffers lead to it.
inline KernelArgument detached(KernelArgument argument) {
  argument.kind = KernelArgument::Kind::kDetached;
  return argument;
}

// A small value by `constant T&`.
template <typename T>
KernelArgument value(const T& v) {
  KernelArgument argument;
  argument.kind = KernelArgument::Kind::kBytes;
  auto bytes = std::as_bytes(std::span(&v, 1));
  argument.bytes.assign(bytes.begin(), bytes.end());
  return argument;
}

// Bytes behind the next [[threadgroup(n)]] argument.
inline KernelArgument threadgroup_memory(uint64_t bytes) {
  KernelArgument argument;
  argument.kind = KernelArgument::Kind::kThreadgroup;
  argument.threadgroup_bytes = bytes;
  return argument;
}

// Leaves the slot of an optional argument empty.
inline KernelArgument nothing() {
  KernelArgument argument;
  argument.kind = KernelArgument::Kind::kNothing;
  return argument;
}

struct KernelLaunch {
  std::string source;  // `#include <metal_stdlib>` and `using namespace metal;` are put in front
  std::string kernel = "k";
  kernel::Size3 grid;         // in threads
  kernel::Size3 threadgroup;  // the last group along an axis may be smaller
  std::vector<std::pair<std::string, std::string>> constants = {};  // function constants by name
  std::vector<std::pair<std::string, std::string>> defines = {};
};

// Runs the kernel; every failure is a test failure with the engine's own message.
void run_kernel(const KernelLaunch& launch, std::vector<KernelArgument> arguments);

// Like run_kernel, but returns the error text; empty when it ran.
std::string try_kernel(const KernelLaunch& launch, std::vector<KernelArgument>& arguments);

// Sizes that catch what round ones hide: one, primes, around a simdgroup and a threadgroup.
inline const std::vector<uint32_t> kOddSizes = {1,  2,   7,   31,  32,   33,  63,
                                                97, 255, 256, 257, 1023, 1031};

}  // namespace assay::testing
