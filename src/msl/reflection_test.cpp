// What the compiler tells about kernels, as short text: source in, one line per argument out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "msl/compile.h"

namespace assay::msl {
namespace {

const char* access_word(kernel::Access access) {
  switch (access) {
    case kernel::Access::kNone: return "unused";
    case kernel::Access::kRead: return "read";
    case kernel::Access::kWrite: return "write";
    case kernel::Access::kReadWrite: break;
  }
  return "read-write";
}

std::string describe(const kernel::Argument& argument) {
  switch (argument.kind) {
    case kernel::ArgumentKind::kBuffer:
    case kernel::ArgumentKind::kThreadgroupMemory: {
      bool is_buffer = argument.kind == kernel::ArgumentKind::kBuffer;
      return fmt::format("{}={}({}) {} {} {}B{}{}", argument.name,
                         is_buffer ? "buffer" : "threadgroup", argument.slot,
                         access_word(argument.access), argument.type, argument.element_bytes,
                         argument.is_reference ? " reference" : "",
                         argument.present_if ? " if " + *argument.present_if : "");
    }
    case kernel::ArgumentKind::kThreadAttribute: break;
  }
  return fmt::format("{}=attribute {} {}x{}B", argument.name, static_cast<int>(argument.attribute),
                     argument.components, argument.component_bytes);
}

std::string describe(const Library& library) {
  std::string text;
  for (const kernel::KernelInfo& info : library.kernels) {
    text += info.name + ":";
    if (info.max_total_threads_per_threadgroup) {
      text += fmt::format(" max {}", info.max_total_threads_per_threadgroup);
    }
    if (info.static_threadgroup_bytes) {
      text += fmt::format(" threadgroup {}B", info.static_threadgroup_bytes);
    }
    for (const std::string& constant : info.function_constants) text += " needs " + constant;
    text += "\n";
    for (const kernel::Argument& argument : info.arguments)
      text += "  " + describe(argument) + "\n";
  }
  return text;
}

void check(const std::string& source, const std::string& expected) {
  CompileResult result =
      compile({"test.metal", "#include <metal_stdlib>\nusing namespace metal;\n" + source}, {});
  ASSERT_TRUE(result.library) << render(result.diagnostics);
  EXPECT_EQ(describe(*result.library), expected);
}

void check_error(const std::string& source, const std::string& expected_message) {
  CompileResult result =
      compile({"test.metal", "#include <metal_stdlib>\nusing namespace metal;\n" + source}, {});
  ASSERT_FALSE(result.library);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics.front().message, expected_message);
}

TEST(Reflection, finds_slots_types_and_access) {
  check(
      "kernel void k(device float* out [[buffer(2)]], const device half* in [[buffer(0)]],\n"
      "              constant uint& n [[buffer(5)]], device int* both [[buffer(1)]],\n"
      "              device char* unused [[buffer(3)]], uint i [[thread_position_in_grid]]) {\n"
      "  if (i < n) { out[i] = in[i]; both[i] += 1; }\n"
      "}\n",
      "k:\n"
      "  out=buffer(2) write device float* 4B\n"
      "  in=buffer(0) read const device half* 2B\n"
      "  n=buffer(5) read constant uint& 4B reference\n"
      "  both=buffer(1) read-write device int* 4B\n"
      "  unused=buffer(3) unused device char* 1B\n"
      "  i=attribute 0 1x4B\n");
}

TEST(Reflection, sees_access_through_helper_functions) {
  check(
      "static void put(device float* p, float v) { *p = v; }\n"
      "static float get(const device float* p) { return *p; }\n"
      "kernel void k(device float* a, device float* b) { put(a, get(b)); }\n",
      "k:\n"
      "  a=buffer(0) write device float* 4B\n"
      "  b=buffer(1) read device float* 4B\n");
}

TEST(Reflection, gives_free_slots_to_arguments_without_one) {
  check("kernel void k(device float* a, device float* b [[buffer(0)]], device float* c) {}\n",
        "k:\n"
        "  a=buffer(1) unused device float* 4B\n"
        "  b=buffer(0) unused device float* 4B\n"
        "  c=buffer(2) unused device float* 4B\n");
}

TEST(Reflection, takes_host_names_from_every_form_of_instantiation) {
  check(
      "template <typename T, int N> [[kernel]] void f(device T* x [[buffer(0)]]) { x[0] = N; }\n"
      "#define MAKE(name, T, N) template [[host_name(\"f_\" #name)]] [[kernel]] "
      "decltype(f<T, N>) f<T, N>;\n"
      "MAKE(float_1, float, 1)\n"
      "typedef decltype(f<int, 2>) f_type;\n"
      "template [[host_name(\"f_int_2\")]] [[kernel]] f_type f<int, 2>;\n"
      "template [[host_name(\"f_half_3\")]] kernel void f<half, 3>(device half* x [[buffer(0)]]);\n"
      "template [[host_name(\"f_uchar_4\"), kernel]] void f<uchar, 4>(device uchar*);\n",
      "f_float_1:\n  x=buffer(0) write device float* 4B\n"
      "f_int_2:\n  x=buffer(0) write device int* 4B\n"
      "f_half_3:\n  x=buffer(0) write device half* 2B\n"
      "f_uchar_4:\n  x=buffer(0) write device uchar* 1B\n");
}

TEST(Reflection, host_name_renames_a_plain_kernel) {
  check("[[host_name(\"other\")]] kernel void k(device float* a) { a[0] = 1; }\n",
        "other:\n  a=buffer(0) write device float* 4B\n");
}

TEST(Reflection, counts_threadgroup_memory_of_everything_the_kernel_calls) {
  check(
      "static float helper() { threadgroup float one; one = 1; return one; }\n"
      "kernel void k(device float* out, threadgroup float* dynamic [[threadgroup(1)]]) {\n"
      "  threadgroup float tile[5][7], line[3];\n"
      "  { threadgroup half nested[2]; nested[0] = 1; out[1] = nested[0]; }\n"
      "  tile[0][0] = line[0] = dynamic[0];\n"
      "  out[0] = tile[0][0] + helper();\n"
      "}\n",
      "k: threadgroup 160B\n"
      "  out=buffer(0) write device float* 4B\n"
      "  dynamic=threadgroup(1) read threadgroup float* 4B\n");
}

TEST(Reflection, lists_thread_attributes_of_program_scope_behind_the_arguments_of_their_users) {
  check(
      "uint2 place [[thread_position_in_grid]];\n"
      "kernel void a(device float* out) { out[place.x] = place.y; }\n"
      "kernel void b(device float* out) { out[0] = 1; }\n",
      "a:\n"
      "  out=buffer(0) write device float* 4B\n"
      "  place=attribute 0 2x4B\n"
      "b:\n"
      "  out=buffer(0) write device float* 4B\n");
  check_error(
      "kernel void k(device float* out) {}\n"
      "float x [[thread_position_in_grid]];\n",
      "variable 'x' with [[thread_position_in_grid]] must be a uint or ushort, or a vector of two "
      "or "
      "three, not 'float'");
  check_error(
      "uint x [[thread_position_in_grid]] = 3;\n"
      "kernel void k(device float* out) { out[x] = 1; }\n",
      "the attribute gives 'x' its value: remove the initialiser");
}

TEST(Reflection, lists_function_constants_and_optional_arguments) {
  check(
      "constant bool has_bias [[function_constant(0)]];\n"
      "constant int width [[function_constant(3)]];\n"
      "constant int twice = is_function_constant_defined(width) ? 2 * width : 2;\n"
      "constant float unused_constant [[function_constant(9)]];\n"
      "kernel void k(device float* out [[buffer(0)]],\n"
      "              const device float* bias [[buffer(1), function_constant(has_bias)]]) {\n"
      "  out[0] = has_bias ? bias[0] : twice;\n"
      "}\n",
      "k: needs has_bias needs width\n"
      "  out=buffer(0) write device float* 4B\n"
      "  bias=buffer(1) read const device float* 4B if has_bias\n");
}

TEST(Reflection, reads_thread_attributes_of_every_shape) {
  check(
      "[[kernel, max_total_threads_per_threadgroup(256)]] void k(device uint* out,\n"
      "    uint3 a [[thread_position_in_grid]], ushort2 b [[thread_position_in_threadgroup]],\n"
      "    ushort c [[thread_index_in_simdgroup]], uint d [[quadgroup_index_in_threadgroup]]) {\n"
      "  out[0] = a.x + b.y + c + d;\n"
      "}\n",
      "k: max 256\n"
      "  out=buffer(0) write device uint* 4B\n"
      "  a=attribute 0 3x4B\n"
      "  b=attribute 1 2x2B\n"
      "  c=attribute 10 1x2B\n"
      "  d=attribute 17 1x4B\n");
}

TEST(Reflection, max_threads_may_use_template_parameters) {
  check(
      "template <int N> [[kernel, max_total_threads_per_threadgroup(N * 32)]] void f(device int* "
      "x) {}\n"
      "template [[host_name(\"f4\")]] [[kernel]] decltype(f<4>) f<4>;\n",
      "f4: max 128\n  x=buffer(0) unused device int* 4B\n");
}

TEST(Reflection, rejects_parameters_that_no_host_can_fill) {
  check_error("kernel void k(device int* out, int n) { out[0] = n; }\n",
              "kernel parameter 'n' of type 'int' needs an attribute such as "
              "[[thread_position_in_grid]], or must be a constant reference: constant int& n");
  check_error("kernel void k(device int* a [[buffer(1)]], device int* b [[buffer(1)]]) {}\n",
              "[[buffer(1)]] is used by two parameters of kernel 'k'");
  check_error("kernel void k(device int* a [[buffer(64)]]) {}\n",
              "[[buffer(64)]]: the index must be below 64");
  check_error(
      "kernel void k(device int* a, float i [[thread_position_in_grid]]) {}\n",
      "parameter 'i' with [[thread_position_in_grid]] must be a uint or ushort, or a vector "
      "of two or three, not 'float'");
  check_error(
      "kernel void k(ulong i [[thread_position_in_grid]]) {}\n",
      "parameter 'i' with [[thread_position_in_grid]] must be a uint or ushort, or a vector "
      "of two or three, not 'ulong'");
  check_error(
      "kernel void k(uint4 i [[threads_per_grid]]) {}\n",
      "parameter 'i' with [[threads_per_grid]] must be a uint or ushort, or a vector of two "
      "or three, not 'uint4'");
  check_error("kernel void k(uint2 i [[thread_index_in_simdgroup]]) {}\n",
              "parameter 'i' with [[thread_index_in_simdgroup]] must be a uint or ushort, not "
              "'uint2'");
  check_error(
      "kernel void a(device int* x) {}\n[[host_name(\"a\")]] kernel void b(device int* x) {}\n",
      "two kernels have the name 'a'");
}

}  // namespace
}  // namespace assay::msl
