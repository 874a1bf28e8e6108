// The file that tells `assay check FILE.metal --launch` how to run kernels: sizes, arguments by
// their names, function constants. Only its text; what fits a kernel is found out later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "cli/array_type.h"
#include "kernel/dispatch.h"

namespace assay::cli {

enum class FillKind : uint8_t { kNone, kZeros, kOnes, kIota, kRandom, kNumbers };

struct Fill {
  FillKind kind = FillKind::kNone;   // kNone: the memory has no values yet
  std::vector<std::string> numbers;  // kNumbers: one for all elements, or one for each
};

// {"type": "float32", "shape": [10, 100], "fill": "iota"}
struct NewArray {
  ArrayType type = {};
  std::vector<uint64_t> shape = {};
  Fill fill = {};
  std::string name = {};  // "as": what later launches call it
};

// {"array": "name"}
struct KnownArray {
  std::string name;
};

// 5, true, [1, 2]: in the type of the parameter.
struct NumberValue {
  std::string text;  // as parse_value takes it
};

// {"bytes": "00ff"}, {"values": [["uint32", 5]]}
struct BytesValue {
  std::vector<std::byte> bytes;
};

struct ThreadgroupMemory {
  uint64_t bytes = 0;
};

struct FileArgument {
  std::string name;  // of the kernel's parameter
  std::string path;  // in the file, for messages: "arguments.n"
  std::variant<NewArray, KnownArray, NumberValue, BytesValue, ThreadgroupMemory> value;
  uint64_t offset = 0;     // arrays: bytes before the first element
  bool is_output = false;  // arrays: every element must have a value afterwards
};

struct FileLaunch {
  std::string path;    // "launches[1]", or empty
  std::string kernel;  // empty: the only one
  kernel::LaunchSize size = {};
  std::vector<FileArgument> arguments;
  std::vector<std::string> constants;  // NAME=VALUE
};

struct LaunchFile {
  std::vector<FileLaunch> launches;
  std::string checks;  // empty: not said
};

// `name` of the file is for messages. Everything that is not understood is an error.
Result<LaunchFile> parse_launch_file(std::string_view text, std::string_view name);

}  // namespace assay::cli
