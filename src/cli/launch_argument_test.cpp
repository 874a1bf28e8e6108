#include "cli/launch_argument.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace assay::cli {
namespace {

using Kind = LaunchArgumentKind;

LaunchArgument parse(std::string_view text) {
  Result<LaunchArgument> argument = parse_launch_argument(text);
  EXPECT_TRUE(argument) << argument.error().message;
  return argument ? std::move(*argument) : LaunchArgument();
}

std::string error_of(std::string_view text) {
  const Result<LaunchArgument> argument = parse_launch_argument(text);
  return argument ? "no error" : argument.error().message;
}

TEST(LaunchArgument, is_an_input_when_it_names_a_file) {
  const LaunchArgument argument = parse("data/x:1.npy");
  EXPECT_EQ(argument.kind, Kind::kInput);
  EXPECT_EQ(argument.input_file, "data/x:1.npy");
}

TEST(LaunchArgument, describes_outputs_with_and_without_a_file) {
  const LaunchArgument stored = parse("out:float32[1024,4]=a=b.npy");
  EXPECT_EQ(stored.kind, Kind::kOutput);
  EXPECT_EQ(stored.type.name(), "float32");
  EXPECT_EQ(stored.shape, (std::vector<uint64_t>{1024, 4}));
  EXPECT_EQ(stored.output_file, "a=b.npy");

  const LaunchArgument printed = parse("out:bfloat16[]");
  EXPECT_TRUE(printed.type.is_bfloat);
  EXPECT_EQ(printed.type.storage, base::NpyType::kUint16);
  EXPECT_TRUE(printed.shape.empty());
  EXPECT_TRUE(printed.output_file.empty());
}

TEST(LaunchArgument, explains_wrong_outputs) {
  const std::string form =
      "write out:TYPE[SHAPE]=FILE.npy, for example out:float32[1024,4]=result.npy";
  for (const char* text :
       {"out:float32", "out:float32]4[", "out:float32[4]x.npy", "out:float32[4]=", "out:"}) {
    EXPECT_EQ(error_of(text), fmt::format("argument '{}': {}", text, form));
  }
  EXPECT_EQ(error_of("out:float[4]")
                .find("argument 'out:float[4]': 'float' is not an array type; use "
                      "one of: bool, int8"),
            0u);
  for (const char* shape : {"[4,]", "[,4]", "[-1]", "[a]", "[4 5]"}) {
    EXPECT_EQ(
        error_of(fmt::format("out:int8{}", shape)),
        fmt::format("argument 'out:int8{0}': '{0}' is not a shape; write sizes with commas, for "
                    "example [1024,4]",
                    shape));
  }
  EXPECT_EQ(error_of("out:int8[4294967296,4294967296]"),
            "argument 'out:int8[4294967296,4294967296]': the array is too large");
}

TEST(LaunchArgument, reads_files_that_are_changed) {
  EXPECT_EQ(parse("inout:x.npy=y.npy").input_file, "x.npy");
  EXPECT_EQ(parse("inout:x.npy=y.npy").output_file, "y.npy");
  EXPECT_EQ(parse("inout:x.npy").output_file, "");
  EXPECT_EQ(error_of("inout:x.npy="), "argument 'inout:x.npy=': write inout:INPUT.npy=RESULT.npy");
  EXPECT_EQ(error_of("inout:=y.npy"), "argument 'inout:=y.npy': write inout:INPUT.npy=RESULT.npy");
}

TEST(LaunchArgument, reads_values_of_every_scalar_type) {
  for (const auto& [text, bytes] :
       std::initializer_list<std::pair<const char*, size_t>>{{"bool:1", 1},
                                                             {"char:-1", 1},
                                                             {"uchar:1", 1},
                                                             {"short:1", 2},
                                                             {"ushort:1", 2},
                                                             {"int:1", 4},
                                                             {"uint:1", 4},
                                                             {"long:1", 8},
                                                             {"ulong:1", 8},
                                                             {"half:1", 2},
                                                             {"bfloat:1", 2},
                                                             {"float:1", 4},
                                                             {"float4:1,2,3,4", 16},
                                                             {"bytes:00ffAb", 3}}) {
    const LaunchArgument argument = parse(text);
    EXPECT_EQ(argument.kind, Kind::kValue) << text;
    EXPECT_EQ(argument.bytes.size(), bytes) << text;
  }
  EXPECT_EQ(parse("bytes:00fF").bytes[1], std::byte{0xff});
  for (const char* text : {"bytes:", "bytes:0", "bytes:0g"}) {
    EXPECT_EQ(
        error_of(text),
        fmt::format("argument '{}': write two hexadecimal digits for each byte, in memory order",
                    text));
  }
  EXPECT_EQ(error_of("uint:-5"), "argument 'uint:-5': '-5' is not a value of uint");
}

TEST(LaunchArgument, reads_threadgroup_memory_and_empty_slots) {
  EXPECT_EQ(parse("threadgroup:4096").threadgroup_bytes, 4096u);
  EXPECT_EQ(parse("-").kind, Kind::kEmpty);
  for (const char* text : {"threadgroup:0", "threadgroup:", "threadgroup:4k"}) {
    EXPECT_EQ(
        error_of(text),
        fmt::format("argument '{}': write a number of bytes, for example threadgroup:4096", text));
  }
}

TEST(LaunchArgument, says_what_a_bare_number_needs) {
  EXPECT_EQ(error_of("50"),
            "argument '50': a number needs its type: write int:50, uint:50 or float:50; a count of "
            "repeats is --time=50");
  EXPECT_EQ(error_of("x.txt").find("argument 'x.txt': write FILE.npy, out:TYPE[SHAPE]"), 0u);
  EXPECT_EQ(error_of("").find("argument '': write FILE.npy"), 0u);
}

TEST(LaunchSize, has_one_to_three_sizes) {
  EXPECT_EQ(*parse_size("7"), (kernel::Size3{7, 1, 1}));
  EXPECT_EQ(*parse_size("7,8"), (kernel::Size3{7, 8, 1}));
  EXPECT_EQ(*parse_size("4294967295,8,9"), (kernel::Size3{4294967295, 8, 9}));
  for (const char* text :
       {"", "0", "1,0", "1,2,3,4", "-1", "1,", ",1", "4294967296", "1x2", " 1"}) {
    EXPECT_FALSE(parse_size(text)) << text;
  }
}

}  // namespace
}  // namespace assay::cli
