// Where a kernel comes from: enough to build it again, on another machine or for another device.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace assay::kernel {

struct ConstantBytes {
  std::string name;
  uint32_t index = 0;
  std::vector<uint8_t> bytes;
};

struct KernelOrigin {
  std::string file;                           // name of the source
  std::shared_ptr<const std::string> source;  // its text; files it includes are not in here
  std::vector<std::string> include_folders;
  std::vector<std::pair<std::string, std::string>> defines;
  int math_mode = 0;                     // as msl::MathMode
  bool allows_double = false;            // assay's own kernels may use what Metal does not have
  std::vector<ConstantBytes> constants;  // values of its function constants
  uint64_t build_ns = 0;                 // what it took to make the kernel ready in this process
  bool is_from_cache = false;            // an earlier process had built it
};

}  // namespace assay::kernel
