// What the engine says when a launch cannot work: each message must name the cause.
#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

// The error text of a launch that must fail.
std::string error_of(const KernelLaunch& launch, std::vector<KernelArgument> arguments) {
  std::string error = try_kernel(launch, arguments);
  EXPECT_NE(error, "") << "the launch was expected to fail";
  return error;
}

void expect_mentions(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is missing in: " << text;
  }
}

const char* const kFill =
    "kernel void k(device uint* out, uint i [[thread_position_in_grid]]) {\n"
    "  out[i] = i;\n}";

TEST(EngineError, names_an_empty_grid_and_an_empty_threadgroup) {
  std::vector<uint32_t> out(4);
  expect_mentions(
      error_of({.source = kFill, .grid = {4, 0, 1}, .threadgroup = {4, 1, 1}}, {buffer(out)}),
      {"'k'", "empty grid", "(4, 0, 1)"});
  expect_mentions(
      error_of({.source = kFill, .grid = {4, 1, 1}, .threadgroup = {4, 1, 0}}, {buffer(out)}),
      {"'k'", "threadgroup", "(4, 1, 0)"});
}

TEST(EngineError, names_the_limit_of_threads_per_threadgroup) {
  std::vector<uint32_t> out(4);
  expect_mentions(
      error_of({.source = kFill, .grid = {4, 1, 1}, .threadgroup = {1025, 1, 1}}, {buffer(out)}),
      {"'k'", "(1025, 1, 1)", "1024"});
  expect_mentions(
      error_of({.source = kFill, .grid = {4, 1, 1}, .threadgroup = {32, 8, 5}}, {buffer(out)}),
      {"(32, 8, 5)", "1024"});
  expect_mentions(error_of({.source = "[[kernel, max_total_threads_per_threadgroup(64)]] void k(\n"
                                      "    device uint* out, uint i [[thread_position_in_grid]])\n"
                                      "{ out[i] = i; }",
                            .grid = {4, 1, 1},
                            .threadgroup = {65, 1, 1}},
                           {buffer(out)}),
                  {"65", "64", "max_total_threads_per_threadgroup"});
}

TEST(EngineError, accepts_the_largest_threadgroup) {
  std::vector<uint32_t> out(1024);
  std::vector<KernelArgument> arguments = {buffer(out)};
  EXPECT_EQ(
      try_kernel({.source = kFill, .grid = {1024, 1, 1}, .threadgroup = {1024, 1, 1}}, arguments),
      "");
  EXPECT_EQ(out[1023], 1023U);
}

TEST(EngineError, names_the_limit_of_threadgroup_memory) {
  std::vector<uint32_t> out(4);
  const std::string fixed =
      "kernel void k(device uint* out, threadgroup uint* extra [[threadgroup(0)]],\n"
      "              uint i [[thread_position_in_grid]]) {\n"
      "  threadgroup uint tile[8000];\n"
      "  tile[i] = i; extra[i] = i;\n"
      "  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
      "  out[i] = tile[3 - i] + extra[i];\n}";
  const KernelLaunch launch{.source = fixed, .grid = {4, 1, 1}, .threadgroup = {4, 1, 1}};
  expect_mentions(error_of(launch, {buffer(out), threadgroup_memory(784)}),
                  {"threadgroup memory", "32768", "32000", "784"});
  std::vector<KernelArgument> fits = {buffer(out), threadgroup_memory(768)};
  EXPECT_EQ(try_kernel(launch, fits), "");
  EXPECT_EQ(out, (std::vector<uint32_t>{3, 3, 3, 3}));
}

TEST(EngineError, names_kernels_that_exist_when_one_is_unknown) {
  std::vector<uint32_t> out(4);
  expect_mentions(error_of({.source = std::string(kFill) + "\nkernel void second(device int* o) {}",
                            .kernel = "third",
                            .grid = {4, 1, 1},
                            .threadgroup = {4, 1, 1}},
                           {buffer(out)}),
                  {"'third'", "k", "second"});
}

TEST(EngineError, names_a_function_constant_without_value) {
  std::vector<uint32_t> out(4);
  const KernelLaunch launch{.source =
                                "constant uint scale [[function_constant(3)]];\n"
                                "kernel void k(device uint* out,\n"
                                "              uint i [[thread_position_in_grid]]) {\n"
                                "  out[i] = i * scale;\n}",
                            .grid = {4, 1, 1},
                            .threadgroup = {4, 1, 1}};
  expect_mentions(error_of(launch, {buffer(out)}), {"scale", "3"});
  KernelLaunch given = launch;
  given.constants = {{"scale", "5"}};
  run_kernel(given, {buffer(out)});
  EXPECT_EQ(out, (std::vector<uint32_t>{0, 5, 10, 15}));
  given.constants = {{"scale", "many"}};
  expect_mentions(error_of(given, {buffer(out)}), {"scale", "many", "uint"});
}

TEST(EngineError, names_arguments_that_are_not_bound) {
  std::vector<uint32_t> out(4);
  const char* source =
      "kernel void k(device uint* out, constant uint& bias,\n"
      "              threadgroup uint* tile,\n"
      "              uint i [[thread_position_in_grid]]) {\n"
      "  tile[i] = i; out[i] = tile[i] + bias;\n}";
  const KernelLaunch launch{.source = source, .grid = {4, 1, 1}, .threadgroup = {4, 1, 1}};
  expect_mentions(error_of(launch, {buffer(out), nothing(), threadgroup_memory(16)}),
                  {"'bias'", "buffer(1)", "not bound"});
  expect_mentions(error_of(launch, {buffer(out), value(1U)}), {"'tile'", "threadgroup(0)"});
  expect_mentions(error_of(launch, {buffer(out), value(uint16_t{1}), threadgroup_memory(16)}),
                  {"'bias'", "4 bytes", "2"});
}

TEST(EngineError, shows_where_the_source_does_not_compile) {
  std::vector<uint32_t> out(4);
  expect_mentions(error_of({.source = "kernel void k(device uint* out) {\n  out[0] = missing;\n}",
                            .grid = {1, 1, 1},
                            .threadgroup = {1, 1, 1}},
                           {buffer(out)}),
                  {"test.metal:4", "missing"});
}

TEST(EngineError, names_the_functions_of_a_recursion) {
  std::vector<uint32_t> out(4);
  expect_mentions(error_of({.source = "uint odd(uint n);\n"
                                      "uint even(uint n) { return n == 0 ? 1 : odd(n - 1); }\n"
                                      "uint odd(uint n) { return n == 0 ? 0 : even(n - 1) + 2; }\n"
                                      "kernel void k(device uint* out) { out[0] = even(out[1]); }",
                            .grid = {1, 1, 1},
                            .threadgroup = {1, 1, 1}},
                           {buffer(out)}),
                  {"recurs", "even", "odd"});
}

TEST(EngineError, leaves_the_engine_usable) {
  std::vector<uint32_t> out(33, 7);
  error_of({.source = kFill, .grid = {0, 1, 1}, .threadgroup = {4, 1, 1}}, {buffer(out)});
  EXPECT_EQ(out, std::vector<uint32_t>(33, 7));
  run_kernel({.source = kFill, .grid = {33, 1, 1}, .threadgroup = {4, 1, 1}}, {buffer(out)});
  for (uint32_t i = 0; i < 33; ++i) ASSERT_EQ(out[i], i);
}

}  // namespace
}  // namespace assay::testing
