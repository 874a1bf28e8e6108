// What one benchmark computes: data, launch and a plain reference, the same for assay and its
// peers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::bench {

using Bytes = std::span<std::byte>;
using ConstBytes = std::span<const std::byte>;

template <typename T>
std::span<T> as(Bytes bytes) {
  return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
}
template <typename T>
std::span<const T> as(ConstBytes bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

struct Size2 {
  uint32_t x = 1, y = 1;
};

// Kernel parameters are the buffers, then the values (4 bytes each), in this order. `name` is also
// the kernel's name and that of its files in bench/kernels.
struct Workload {
  std::string name;
  std::vector<uint64_t> buffer_bytes = {};
  std::vector<uint32_t> values = {};  // bits of a uint or float
  Size2 groups = {};
  Size2 group_size = {};
  // Launches that one measured time is the mean of, each waited for.
  unsigned launches = 1;
  std::function<void(std::span<const Bytes> buffers)> fill;
  // The buffers after one launch on what `fill` wrote; the text says what is wrong, empty if
  // nothing.
  std::function<std::string(std::span<const ConstBytes> buffers)> check;
};

// How much work there is: kFull for measuring kernels, kMedium for measuring checked ones, kSmall
// for interpreters of single instructions.
enum class Scale : uint8_t { kFull, kMedium, kSmall };

// Null when there is none. Lives as long as the program.
const Workload* find_workload(std::string_view name, Scale scale = Scale::kFull);

// The text of a file in bench/kernels; empty when it cannot be read.
std::string read_kernel(const std::string& file);

}  // namespace assay::bench
