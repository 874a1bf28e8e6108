// Sources that try to keep the compiler busy for ever end with an error that says why.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "msl/compile.h"

namespace assay::msl {
namespace {

CompileResult compile_text(const std::string& text, const CompileLimits& limits = {}) {
  CompileOptions options;
  options.limits = limits;
  return compile({"limits.metal", text}, options);
}

void expect_error_with(const CompileResult& result, const std::string& part) {
  EXPECT_FALSE(result.library);
  EXPECT_NE(render(result.diagnostics).find(part), std::string::npos) << render(result.diagnostics);
}

TEST(CompileLimits, stop_endless_template_recursion) {
  CompileResult result = compile_text(
      "template <int N> struct deeper { static constexpr int value = deeper<N + 1>::value; };\n"
      "kernel void k(device int* x) { x[0] = deeper<0>::value; }\n");
  expect_error_with(result, "recursive template instantiation exceeded maximum depth");
}

TEST(CompileLimits, stop_templates_that_multiply) {
  CompileLimits limits;
  limits.seconds = 1;
  CompileResult result = compile_text(
      "template <int A, int B> struct tree {\n"
      "  static constexpr long value = tree<A - 1, 2 * B>::value + tree<A - 1, 2 * B + 1>::value;\n"
      "};\n"
      "template <int B> struct tree<0, B> { static constexpr long value = B; };\n"
      "kernel void k(device long* x) { x[0] = tree<26, 1>::value; }\n",
      limits);
  expect_error_with(result, "more processor time than the limit of 1 s");
  // Only the front end's own stop knows the place; the last stop would come later and leak.
  ASSERT_EQ(result.diagnostics.size(), 1U);
  EXPECT_EQ(result.diagnostics[0].line, 2U);
}

TEST(CompileLimits, are_not_reached_by_looking_for_what_a_long_name_was_meant_to_be) {
  CompileLimits limits;
  limits.seconds = 10;
  expect_error_with(compile_text(std::string(1'000'000, 'x') + " y;\n", limits),
                    "unknown type name");
}

TEST(CompileLimits, stop_macros_that_multiply) {
  std::string text = "#define A0 1 + 1\n";
  for (int i = 1; i < 40; ++i) {
    text += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + " + A" +
            std::to_string(i - 1) + "\n";
  }
  CompileLimits limits;
  limits.tokens = 100'000;
  expect_error_with(compile_text(text + "constant int x = A39;\n", limits),
                    "more than 100000 tokens");
}

TEST(CompileLimits, stop_endless_constant_evaluation) {
  CompileResult result = compile_text(
      "constexpr int spin() { int i = 0; while (true) ++i; return i; }\n"
      "constant int x = spin();\nstatic_assert(spin() > 0, \"\");\n");
  EXPECT_FALSE(result.library);
}

TEST(CompileLimits, a_file_that_includes_itself_is_an_error) {
  CompileResult result = compile_text("#include \"limits.metal\"\n#include \"nowhere.h\"\n");
  EXPECT_FALSE(result.library);
}

TEST(CompileLimits, deep_nesting_is_an_error_not_a_crash) {
  std::string text = "constant int x = ";
  text += std::string(100'000, '(') + "1" + std::string(100'000, ')') + ";\n";
  EXPECT_FALSE(compile_text(text).library);
  EXPECT_FALSE(compile_text(std::string(100'000, '{')).library);
  EXPECT_FALSE(compile_text("kernel void k() {" + std::string(50'000, '[')).library);
}

TEST(Compile, works_from_many_threads_at_once) {
  std::vector<std::thread> threads;
  std::vector<int> kernels(8, 0);
  for (size_t t = 0; t < kernels.size(); ++t) {
    threads.emplace_back([&, t] {
      std::string name = "k" + std::to_string(t);
      CompileResult result = compile_text("kernel void " + name + "(device float4* x) { x[" +
                                          std::to_string(t) + "] *= 2; }\n");
      kernels[t] = result.library && result.library->find_kernel(name) ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(kernels, std::vector<int>(8, 1));
}

}  // namespace
}  // namespace assay::msl
