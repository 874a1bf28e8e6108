// Hints about custom kernels: what compiles and runs, and probably is not what was meant. Found in
// the text and in the sizes of a launch; never in the way of it.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "custom/kernel_source.h"

namespace assay {

struct KernelLaunch {
  std::tuple<int, int, int> grid, threadgroup;
  std::vector<Shape> output_shapes;
  bool has_init_value = false;
};

// Of one kernel object. Thread-safe.
class KernelHints {
 public:
  explicit KernelHints(const CustomKernelText& text);

  // Each kind is told once.
  std::vector<std::string> check_launch(const KernelLaunch& launch);

 private:
  enum Kind : uint32_t {
    kGrid = 1,
    kReduction = 2,
    kBounds = 4,
    kOneSimdgroup = 8,
    kSmall = 16,
    kHalf = 32,
    kUnderflow = 64
  };
  // How the source uses an output.
  struct Output {
    std::string name;
    uint32_t indexed = 0;    // places with name[…]
    bool is_passed = false;  // or by its bare name
  };
  std::string describe_grid(const KernelLaunch& launch) const;
  std::string describe_reduction(const KernelLaunch& launch) const;
  std::string describe_bounds(const KernelLaunch& launch) const;
  std::string describe_group(const KernelLaunch& launch) const;
  std::string describe_size(const KernelLaunch& launch);

  const std::string name_;
  std::vector<Output> outputs_;
  bool has_loop_ = false, has_check_ = false, has_atomics_ = false, has_cooperation_ = false;
  bool uses_thread_ = false, uses_group_ = false, uses_group_count_ = false;
  std::string half_sum_, underflow_;  // names of the variables
  std::atomic<uint32_t> told_ = 0, small_launches_ = 0;
};

// A text where kernel objects of the same text are made again and again.
std::string check_rebuilds(const CustomKernelText& text);

}  // namespace assay
