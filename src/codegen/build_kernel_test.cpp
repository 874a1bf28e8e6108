// The whole build: outputs, limits, errors, processors and threads.
#include "codegen/build_kernel.h"

#include <gtest/gtest.h>

#include <regex>
#include <thread>

#include "codegen/pass_list.h"
#include "codegen/testing/build_text.h"
#include "codegen/testing/simple_executor.h"
#include "fmt/format.h"

namespace assay::codegen {
namespace {

using testing::attribute;
using testing::buffer;
using testing::build;
using testing::build_error;
using testing::checked_options;
using testing::kernel_info;

const char* const kScale = R"(
define void @k(ptr %x, i32 %i) {
  %w = zext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %w
  %v = load float, ptr %p
  %s = fmul float %v, 3.0
  %t = fadd float %s, 1.0
  store float %t, ptr %p
  ret void
})";

kernel::KernelInfo scale_info() {
  return kernel_info({buffer("x", 0), attribute(kernel::ThreadAttribute::kThreadPositionInGrid)});
}

TEST(BuildKernel, gives_ir_assembly_and_timings_when_asked) {
  BuildOptions options = checked_options();
  options.keep_ir = options.emit_assembly = true;
  BuildOutput output = build(kScale, scale_info(), options);
  EXPECT_NE(output.ir.find("define void @assay_entry"), std::string::npos);
  EXPECT_NE(output.assembly.find("assay_entry:"), std::string::npos);
  EXPECT_EQ(output.timings.front().name, "set-up");
  EXPECT_EQ(output.timings.back().name, "emit");
  BuildOutput plain = build(kScale, scale_info());
  EXPECT_EQ(plain.ir + plain.assembly, "");
  EXPECT_EQ(plain.image.object, output.image.object);
}

TEST(BuildKernel, vectorises_a_plain_kernel_over_its_threads) {
  BuildOptions options = checked_options();
  options.cpu = "x86-64-v3";
  options.keep_ir = true;
  EXPECT_NE(build(kScale, scale_info(), options).ir.find("fmul <8 x float>"), std::string::npos);
}

TEST(BuildKernel, does_not_contract_multiplications_and_additions) {
  BuildOptions options = checked_options();
  options.cpu = "x86-64-v3";
  options.emit_assembly = true;
  std::string assembly = build(kScale, scale_info(), options).assembly;
  EXPECT_EQ(assembly.find("fmadd"), std::string::npos) << assembly;
}

// Reads `count` rows of values before it writes any of them.
std::string text_with_many_values(int count) {
  std::string loads;
  std::string stores;
  for (int n = 0; n < count; ++n) {
    loads += fmt::format(
        "  %p{0} = getelementptr float, ptr %rows, i64 {1}\n"
        "  %v{0} = load float, ptr %p{0}\n",
        n, n * 4096);
    stores += fmt::format(
        "  %s{0} = fadd float %v{0}, %v{1}\n"
        "  store float %s{0}, ptr %p{0}\n",
        n, (n + count / 2) % count);
  }
  return "define void @k(ptr %x, i32 %i) {\n  %w = zext i32 %i to i64\n"
         "  %rows = getelementptr float, ptr %x, i64 %w\n" +
         loads + stores + "  ret void\n}\n";
}

TEST(BuildKernel, spills_vectors_to_aligned_places) {
  BuildOptions options = checked_options();
  options.executor = kernel::Executor::kVector;
  options.cpu = "x86-64-v3";
  options.emit_assembly = true;
  const std::string assembly = build(text_with_many_values(24), scale_info(), options).assembly;
  const std::regex aligned(R"(vmovaps\s[^\n]*\(%r[sb]p\))");
  const std::regex unaligned(R"(vmovups\s[^\n]*\(%r[sb]p\))");
  EXPECT_TRUE(std::regex_search(assembly, aligned)) << assembly;
  EXPECT_FALSE(std::regex_search(assembly, unaligned)) << assembly;
}

TEST(BuildKernel, describes_the_processor_the_code_needs) {
  BuildOptions options = checked_options();
  options.cpu = "x86-64-v2";
  options.features = "+avx2";
  EXPECT_EQ(build(kScale, scale_info(), options).image.target_cpu, "x86-64-v2 +avx2");
}

TEST(BuildKernel, reports_unknown_processors_and_features) {
  BuildOptions options;
  options.cpu = "m1";
  EXPECT_NE(build_error(kScale, scale_info(), options).find("unknown processor 'm1'"),
            std::string::npos);
  options.cpu = "x86-64";
  for (const char* features : {"+nonsense", "avx2"}) {
    options.features = features;
    EXPECT_NE(build_error(kScale, scale_info(), options).find("unknown processor feature"),
              std::string::npos);
  }
}

TEST(BuildKernel, runs_on_baseline_processors_with_the_runtime_symbols) {
  // half, fma and rounding have no instructions on the first x86-64 processors.
  const char* text = R"(
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.floor.f32(float)
define void @k(ptr %x, ptr %h, i32 %i) {
  %w = zext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %w
  %q = getelementptr half, ptr %h, i64 %w
  %v = load float, ptr %p
  %s = call float @llvm.fma.f32(float %v, float %v, float 0.75)
  %f = call float @llvm.floor.f32(float %s)
  store float %f, ptr %p
  %n = load half, ptr %q
  %m = fmul half %n, %n
  store half %m, ptr %q
  ret void
})";
  BuildOptions options = checked_options();
  options.cpu = "x86-64";
  BuildOutput output =
      build(text,
            kernel_info({buffer("x", 0), buffer("h", 1),
                         attribute(kernel::ThreadAttribute::kThreadPositionInGrid)}),
            options);
  std::vector<float> x = {1.5f, -2.25f, 100.0f};
  std::vector<uint16_t> h = {0x3e00, 0xc000, 0x0001};  // 1.5, -2, the smallest subnormal
  testing::run(output.image,
               {.grid = {3, 1, 1}, .threadgroup = {2, 1, 1}, .buffers = {x.data(), h.data()}});
  EXPECT_EQ(x, (std::vector<float>{3.0f, 5.0f, 10000.0f}));
  EXPECT_EQ(h, (std::vector<uint16_t>{0x4080, 0x4400, 0x0000}));
}

TEST(BuildKernel, names_a_function_that_no_device_provides) {
  std::string error = build_error(R"(
declare float @llvm.sin.f32(float)
define void @k(ptr %x) {
  %v = load float, ptr %x
  %s = call float @llvm.sin.f32(float %v)
  store float %s, ptr %x
  ret void
})",
                                  kernel_info({buffer("x", 0)}));
  EXPECT_NE(error.find("internal error: the code calls 'sinf', which no device provides"),
            std::string::npos)
      << error;
}

TEST(BuildKernel, ends_with_an_error_when_the_time_is_up) {
  BuildOptions options;
  options.time_limit_s = 0;
  EXPECT_EQ(
      build_error(kScale, scale_info(), options),
      "[compile] kernel 'k': compilation took more processor time than the limit of 0 s; make "
      "the kernel smaller or raise the time limit");
}

TEST(BuildKernel, ends_with_an_error_when_the_kernel_is_too_large) {
  BuildOptions options;
  options.instruction_limit = 5;
  EXPECT_NE(build_error(kScale, scale_info(), options).find("beyond the limit of 5 instructions"),
            std::string::npos);
}

TEST(BuildKernel, builds_the_same_object_every_time_and_on_many_threads_at_once) {
  std::string bitcode = testing::to_bitcode(kScale);
  auto build_once = [&] {
    return build_cpu_kernel(bitcode, scale_info(), {}, {}, BuildOptions{})->image.object;
  };
  std::vector<uint8_t> expected = build_once();
  std::vector<std::vector<uint8_t>> objects(8);
  std::vector<std::thread> threads;
  for (std::vector<uint8_t>& object : objects) {
    threads.emplace_back([&] { object = build_once(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<uint8_t>& object : objects) EXPECT_EQ(object, expected);
}

}  // namespace
}  // namespace assay::codegen
