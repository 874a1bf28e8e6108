#include "cli/check/launch_file.h"

#include <gtest/gtest.h>

#include <cstring>

namespace assay::cli {
namespace {

constexpr std::string_view kWhole = R"({
  "kernel": "row_sum", // comments are allowed
  "grid": [1000, 2], "threadgroup": [64],
  "arguments": {
    "input": {"type": "float32", "shape": [10, 100], "fill": "iota", "offset": 4, "as": "x"},
    "output": {"type": "float16", "shape": [10], "output": true},
    "acc": {"type": "int8", "shape": [2], "fill": [-1, 5]},
    "same": {"array": "x", "output": true},
    "n": 100, "scale": 0.5, "is_on": true, "pair": [1, 2],
    "params": {"bytes": "00fF"},
    "more": {"values": [["uint8", 1], ["uint32", 5], ["float16", 0.5]]},
    "shared": {"threadgroup_bytes": 256}},
  "constants": {"USE_BIAS": true, "SIZES": [1, 2]},
  "checks": "bounds,races"})";

std::string error_of(std::string_view text) {
  const Result<LaunchFile> file = parse_launch_file(text, "l.json");
  return file ? "" : file.error().message;
}

// The error of one argument in an otherwise good file.
std::string argument_error(std::string_view argument) {
  return error_of(R"({"grid": [1], "threadgroup": [1], "arguments": {"x": )" +
                  std::string(argument) + "}}");
}

TEST(LaunchFile, has_everything_that_was_written) {
  const Result<LaunchFile> file = parse_launch_file(kWhole, "l.json");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->checks, "bounds,races");
  ASSERT_EQ(file->launches.size(), 1u);
  const FileLaunch& launch = file->launches[0];
  EXPECT_EQ(launch.kernel, "row_sum");
  EXPECT_EQ(launch.size.form, kernel::LaunchForm::kThreads);
  EXPECT_EQ(launch.size.grid, (kernel::Size3{1000, 2, 1}));
  EXPECT_EQ(launch.size.threadgroup, (kernel::Size3{64, 1, 1}));
  EXPECT_EQ(launch.constants, (std::vector<std::string>{"USE_BIAS=true", "SIZES=1,2"}));
  ASSERT_EQ(launch.arguments.size(), 11u);

  const auto& input = std::get<NewArray>(launch.arguments[0].value);
  EXPECT_EQ(input.type.name(), "float32");
  EXPECT_EQ(input.shape, (std::vector<uint64_t>{10, 100}));
  EXPECT_EQ(input.fill.kind, FillKind::kIota);
  EXPECT_EQ(input.name, "x");
  EXPECT_EQ(launch.arguments[0].offset, 4u);
  EXPECT_FALSE(launch.arguments[0].is_output);

  EXPECT_EQ(std::get<NewArray>(launch.arguments[1].value).fill.kind, FillKind::kNone);
  EXPECT_TRUE(launch.arguments[1].is_output);
  EXPECT_EQ(std::get<NewArray>(launch.arguments[2].value).fill.numbers,
            (std::vector<std::string>{"-1", "5"}));
  EXPECT_EQ(std::get<KnownArray>(launch.arguments[3].value).name, "x");
  EXPECT_EQ(std::get<NumberValue>(launch.arguments[4].value).text, "100");
  EXPECT_EQ(std::get<NumberValue>(launch.arguments[5].value).text, "0.5");
  EXPECT_EQ(std::get<NumberValue>(launch.arguments[6].value).text, "true");
  EXPECT_EQ(std::get<NumberValue>(launch.arguments[7].value).text, "1,2");
  EXPECT_EQ(std::get<BytesValue>(launch.arguments[8].value).bytes,
            (std::vector<std::byte>{std::byte{0}, std::byte{0xff}}));
  EXPECT_EQ(std::get<ThreadgroupMemory>(launch.arguments[10].value).bytes, 256u);
}

// A struct of the host compiler has the same layout.
TEST(LaunchFile, packs_values_like_a_struct) {
  struct Params {
    uint8_t a;
    uint32_t b;
    _Float16 c;
  };
  const Result<LaunchFile> file = parse_launch_file(kWhole, "l.json");
  ASSERT_TRUE(file);
  const auto& bytes = std::get<BytesValue>(file->launches[0].arguments[9].value).bytes;
  ASSERT_EQ(bytes.size(), sizeof(Params));
  Params params{};
  std::memcpy(static_cast<void*>(&params), bytes.data(), sizeof params);
  EXPECT_EQ(params.a, 1);
  EXPECT_EQ(params.b, 5u);
  EXPECT_EQ(static_cast<float>(params.c), 0.5f);
}

TEST(LaunchFile, may_have_several_launches) {
  const Result<LaunchFile> file = parse_launch_file(
      R"({"launches": [{"kernel": "a", "threadgroups": [2], "threadgroup": [4]},
                       {"kernel": "b", "grid": [8], "threadgroup": [4]}], "checks": "all"})",
      "l.json");
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_EQ(file->launches.size(), 2u);
  EXPECT_EQ(file->launches[0].size.form, kernel::LaunchForm::kThreadgroups);
  EXPECT_EQ(file->launches[1].kernel, "b");
}

TEST(LaunchFile, says_where_the_text_is_no_json) {
  EXPECT_EQ(error_of("{\n  \"grid\": [1,\n}"), "l.json: line 3, column 1 is not JSON");
  EXPECT_EQ(error_of(""), "l.json: line 1, column 1 is not JSON");
  EXPECT_EQ(error_of("[]"), "l.json: 'the file' must be an object {…}");
}

TEST(LaunchFile, says_what_is_wrong_with_a_launch) {
  EXPECT_EQ(error_of(R"({"gird": [1], "threadgroup": [1]})"),
            "l.json: 'gird' is not known here; there are kernel, grid, threadgroups, threadgroup, "
            "arguments, constants, checks");
  EXPECT_EQ(error_of(R"({"launches": [{"grid": [1], "threadgroup": [1], "checks": "all"}]})"),
            "l.json: 'launches[0].checks' is not known here; there are kernel, grid, threadgroups, "
            "threadgroup, arguments, constants");
  EXPECT_EQ(error_of(R"({"launches": []})"),
            "l.json: 'launches' must be a list with at least one launch");
  EXPECT_EQ(error_of(R"({"threadgroup": [1]})"),
            "l.json: 'the file' must have either 'grid' (threads) or 'threadgroups'");
  EXPECT_EQ(error_of(R"({"grid": [1], "threadgroups": [1], "threadgroup": [1]})"),
            "l.json: 'the file' must have either 'grid' (threads) or 'threadgroups'");
  EXPECT_EQ(error_of(R"({"grid": [1]})"),
            "l.json: 'the file' must have 'threadgroup', the threads of one threadgroup");
  EXPECT_EQ(error_of(R"({"grid": [1, 1, 1, 1], "threadgroup": [1]})"),
            "l.json: 'grid' must be a list of 1 to 3 numbers");
  EXPECT_EQ(error_of(R"({"grid": [0], "threadgroup": [1]})"),
            "l.json: 'grid' must be a whole number from 1 to 4294967295");
  EXPECT_EQ(error_of(R"({"grid": [1], "threadgroup": [1], "kernel": 5})"),
            "l.json: 'kernel' must be a text");
}

TEST(LaunchFile, says_what_is_wrong_with_an_argument) {
  EXPECT_EQ(argument_error(R"({"type": "float", "shape": [1]})"),
            "l.json: 'arguments.x.type' is 'float', which is not a type; there are bool, int8, "
            "int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, bfloat16");
  EXPECT_EQ(argument_error(R"({"type": "float32"})"),
            "l.json: 'arguments.x.shape' must be a list of numbers");
  EXPECT_EQ(argument_error(R"({"type": "float32", "shape": [-1]})"),
            "l.json: 'arguments.x.shape' must be a whole number from 0 to 1099511627776");
  EXPECT_EQ(argument_error(R"({"type": "float32", "shape": [1099511627776, 1099511627776]})"),
            "l.json: 'arguments.x.shape' is too large");
  EXPECT_EQ(argument_error(R"({"type": "float32", "shape": [1], "size": 4})"),
            "l.json: 'arguments.x.size' is not known here; there are type, shape, fill, output, "
            "offset, as");
  EXPECT_EQ(argument_error(R"({"type": "float32", "shape": [1], "fill": "zero"})"),
            "l.json: 'arguments.x.fill' is 'zero'; there are zeros, ones, iota, random, a number, "
            "or a list with a number for each element");
  EXPECT_EQ(argument_error(R"({"type": "float32", "shape": [3], "fill": [1, 2]})"),
            "l.json: 'arguments.x.fill' has 2 numbers, but the shape has 3 elements");
  EXPECT_EQ(argument_error(R"({"type": "float32", "shape": [3], "output": 1})"),
            "l.json: 'arguments.x.output' must be true or false");
  EXPECT_EQ(argument_error(R"({"bytes": "0"})"),
            "l.json: 'arguments.x.bytes' must have two hexadecimal digits for each byte, in memory "
            "order");
  EXPECT_EQ(argument_error(R"({"values": [["uint8", 256]]})"),
            "l.json: 'arguments.x.values[0]' is wrong: '256' is not a value of uchar");
  EXPECT_EQ(argument_error(R"({"values": [["double", 1]]})").substr(0, 60),
            "l.json: 'arguments.x.values[0]' has no type of that name; th");
  EXPECT_EQ(argument_error(R"({"array": "a", "shape": [1]})"),
            "l.json: 'arguments.x.shape' is not known here; there are array, output, offset");
  EXPECT_EQ(argument_error(R"("five")"),
            "l.json: 'arguments.x' must be a number, true, false, \"nan\", \"inf\" or \"-inf\"");
  EXPECT_EQ(argument_error("{}"),
            "l.json: 'arguments.x' must be a number, an array with 'type' and 'shape', or an "
            "object with 'array', 'bytes', 'values' or 'threadgroup_bytes'");
}

}  // namespace
}  // namespace assay::cli
