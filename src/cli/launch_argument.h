// One ARG of `assay launch` as the user writes it: a file, an output, a value, threadgroup memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/array_type.h"
#include "cli/scalar_type.h"
#include "kernel/dispatch.h"

namespace assay::cli {

enum class LaunchArgumentKind : uint8_t {
  kInput,              // x.npy
  kOutput,             // out:float32[4,5]=y.npy
  kInOut,              // inout:x.npy=y.npy
  kValue,              // uint:5, float4:1,2,3,4, bytes:00ff
  kThreadgroupMemory,  // threadgroup:4096
  kEmpty,              // -
};

struct LaunchArgument {
  LaunchArgumentKind kind = LaunchArgumentKind::kEmpty;
  std::string text;                     // as written
  std::string input_file;               // kInput, kInOut
  std::string output_file;              // kOutput, kInOut; empty: print the values
  ArrayType type;                       // kOutput
  std::vector<uint64_t> shape;          // kOutput
  std::optional<ValueType> value_type;  // kValue, unless bytes:
  std::vector<std::byte> bytes;         // kValue
  uint64_t threadgroup_bytes = 0;       // kThreadgroupMemory
};

Result<LaunchArgument> parse_launch_argument(std::string_view text);

// "64", "64,8" or "64,8,2"; every size at least 1.
Result<kernel::Size3> parse_size(std::string_view text);

}  // namespace assay::cli
