// Loading objects: entries, runtime symbols, and objects that are broken.
#include "device/cpu/object_linker.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "device/cpu/runtime_symbols.h"
#include "device/cpu/testing/assemble_object.h"

namespace assay::device::cpu {
namespace {

using testing::assemble_object;

// Uses code, read-only data, a local call and two functions of the process.
constexpr const char* kProgram = R"(
@table = internal constant [4 x i32] [i32 10, i32 20, i32 30, i32 40]
@writable = internal global i32 5
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare float @llvm.floor.f32(float)
define internal i32 @twice(i32 %x) noinline {
  %r = add i32 %x, %x
  ret i32 %r
}
define i32 @entry(i32 %i, float %f, ptr %to, ptr %from, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  %slot = getelementptr [4 x i32], ptr @table, i64 0, i32 %i
  %value = load i32, ptr %slot
  %double = call i32 @twice(i32 %value)
  %floor = call float @llvm.floor.f32(float %f)
  %whole = fptosi float %floor to i32
  %sum = add i32 %double, %whole
  %old = load i32, ptr @writable
  %new = add i32 %old, 1
  store i32 %new, ptr @writable
  %all = add i32 %sum, %old
  ret i32 %all
}
)";
using Entry = int32_t (*)(int32_t, float, void*, const void*, uint64_t);

Entry entry_of(const LinkedObject& object) {
  return reinterpret_cast<Entry>(const_cast<void*>(object.entry()));
}

TEST(ObjectLinker, knows_the_stack_that_all_functions_need) {
  const auto linked = link_object(assemble_object(R"(
define internal void @inner() noinline {
  %a = alloca [3000 x i8]
  store volatile i8 1, ptr %a
  ret void
}
define void @entry() {
  %a = alloca [5000 x i8]
  store volatile i8 1, ptr %a
  call void @inner()
  ret void
}
)"),
                                  "entry");
  ASSERT_TRUE(linked) << linked.error().message;
  EXPECT_GE((*linked)->stack_bytes(), 8000U - 2 * 128);
  EXPECT_LE((*linked)->stack_bytes(), 8400U);
}

TEST(ObjectLinker, runs_code_with_data_local_calls_and_runtime_symbols) {
  const auto linked = link_object(assemble_object(kProgram), "entry");
  ASSERT_TRUE(linked) << linked.error().message;
  const std::array<int, 3> from = {1, 2, 3};
  std::array<int, 3> to = {};
  EXPECT_EQ(entry_of(**linked)(2, -2.5F, to.data(), from.data(), sizeof(from)), 60 - 3 + 5);
  EXPECT_EQ(to, from);
  EXPECT_EQ(entry_of(**linked)(0, 7.9F, to.data(), from.data(), 0), 20 + 7 + 6);
}

TEST(ObjectLinker, gives_each_loaded_object_its_own_data) {
  const std::vector<uint8_t> object = assemble_object(kProgram);
  const auto first = link_object(object, "entry");
  const auto second = link_object(object, "entry");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(entry_of(**first)(0, 0, nullptr, nullptr, 0), 25);
  EXPECT_EQ(entry_of(**first)(0, 0, nullptr, nullptr, 0), 26);
  EXPECT_EQ(entry_of(**second)(0, 0, nullptr, nullptr, 0), 25);
}

TEST(ObjectLinker, names_a_symbol_that_is_not_provided) {
  const auto linked = link_object(assemble_object("declare void @system()\n"
                                                  "define void @entry() {\n"
                                                  "  call void @system()\n  ret void\n}\n"),
                                  "entry");
  ASSERT_FALSE(linked);
  EXPECT_NE(linked.error().message.find("'system'"), std::string::npos) << linked.error().message;
}

TEST(ObjectLinker, names_a_missing_entry) {
  const auto linked = link_object(assemble_object(kProgram), "other");
  ASSERT_FALSE(linked);
  EXPECT_NE(linked.error().message.find("entry 'other'"), std::string::npos)
      << linked.error().message;
}

TEST(ObjectLinker, refuses_bytes_that_are_no_object) {
  EXPECT_FALSE(link_object({}, "entry"));
  EXPECT_FALSE(link_object(std::vector<uint8_t>(1000, 0x7F), "entry"));
}

TEST(ObjectLinker, survives_an_object_cut_off_anywhere) {
  const std::vector<uint8_t> object = assemble_object(kProgram);
  for (size_t size = 0; size < object.size(); size += 7) {
    const std::span<const uint8_t> part = std::span(object).first(size);
    EXPECT_FALSE(link_object(std::vector<uint8_t>(part.begin(), part.end()), "entry")) << size;
  }
}

TEST(RuntimeSymbols, are_found_by_exact_name) {
  for (const char* name :
       {"memcpy", "memset", "memmove", "fma", "fmaf", "floorf", "ceilf", "truncf", "rintf",
        "__extendhfsf2", "__truncsfhf2", "__truncdfhf2", "exp", "sincos", "pow", "fmod"}) {
    EXPECT_NE(find_runtime_symbol(name), nullptr) << name;
  }
  for (const char* name : {"", "mem", "memcpyx", "system", "zzz"}) {
    EXPECT_EQ(find_runtime_symbol(name), nullptr) << name;
  }
}

TEST(RuntimeSymbols, convert_halves_for_baseline_processors) {
  // Without F16C both conversions are calls.
  const auto linked = link_object(assemble_object("define float @entry(float %x) {\n"
                                                  "  %h = fptrunc float %x to half\n"
                                                  "  %f = fpext half %h to float\n"
                                                  "  ret float %f\n}\n"),
                                  "entry");
  ASSERT_TRUE(linked) << linked.error().message;
  const auto round_trip = reinterpret_cast<float (*)(float)>(const_cast<void*>((*linked)->entry()));
  EXPECT_EQ(round_trip(1.0F / 3), 0x1.554p-2F);
  EXPECT_EQ(round_trip(-65504.0F), -65504.0F);
  EXPECT_EQ(round_trip(0x1p-24F), 0x1p-24F);
}

}  // namespace
}  // namespace assay::device::cpu
