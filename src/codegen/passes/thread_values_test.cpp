// Every thread attribute, on a grid whose last groups are partial along two axes.
#include "codegen/passes/thread_values.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "codegen/testing/build_text.h"
#include "codegen/testing/simple_executor.h"

namespace assay::codegen {
namespace {

using kernel::ExecutionForm;
using kernel::ThreadAttribute;
using testing::attribute;
using testing::buffer;
using testing::kernel_info;
using testing::run;

const std::string kDeclarations = R"(
%uint3 = type { i32, i32, i32, i32 }
%ushort3 = type { i16, i16, i16, i16 }
declare void @assay.barrier.threadgroup(i32)
)";

// One kernel that stores one scalar attribute per thread, for all attributes and both forms.
struct AttributeCase {
  ThreadAttribute attribute;
  uint32_t component;  // of a vector attribute
  std::function<uint32_t(testing::Size group, testing::Size position)> expected;
};

constexpr testing::Size kGrid = {7, 5, 2};
constexpr testing::Size kThreads = {5, 3, 2};

testing::Size group_size(testing::Size group) {
  testing::Size size;
  for (int i = 0; i < 3; ++i) {
    size[i] = std::min(kThreads[i], kGrid[i] - group[i] * kThreads[i]);
  }
  return size;
}

uint32_t thread_index(testing::Size group, testing::Size position) {
  testing::Size size = group_size(group);
  return (position[2] * size[1] + position[1]) * size[0] + position[0];
}

uint32_t count(testing::Size size) { return size[0] * size[1] * size[2]; }

std::vector<AttributeCase> attribute_cases() {
  using A = ThreadAttribute;
  using S = testing::Size;
  auto always = [](uint32_t value) { return [=](S, S) { return value; }; };
  std::vector<AttributeCase> cases = {
      {A::kThreadIndexInThreadgroup, 0, thread_index},
      {A::kThreadIndexInSimdgroup, 0, [](S g, S p) { return thread_index(g, p) % 32; }},
      {A::kSimdgroupIndexInThreadgroup, 0, [](S g, S p) { return thread_index(g, p) / 32; }},
      {A::kThreadIndexInQuadgroup, 0, [](S g, S p) { return thread_index(g, p) % 4; }},
      {A::kQuadgroupIndexInThreadgroup, 0, [](S g, S p) { return thread_index(g, p) / 4; }},
      {A::kSimdgroupsPerThreadgroup, 0, [](S g, S) { return (count(group_size(g)) + 31) / 32; }},
      {A::kQuadgroupsPerThreadgroup, 0, [](S g, S) { return (count(group_size(g)) + 3) / 4; }},
      {A::kDispatchSimdgroupsPerThreadgroup, 0, always((count(kThreads) + 31) / 32)},
      {A::kDispatchQuadgroupsPerThreadgroup, 0, always((count(kThreads) + 3) / 4)},
      {A::kThreadsPerSimdgroup, 0, always(32)},
      {A::kThreadExecutionWidth, 0, always(32)},
  };
  for (uint32_t i = 0; i < 3; ++i) {
    cases.insert(
        cases.end(),
        {{A::kThreadPositionInGrid, i, [i](S g, S p) { return g[i] * kThreads[i] + p[i]; }},
         {A::kThreadPositionInThreadgroup, i, [i](S, S p) { return p[i]; }},
         {A::kThreadgroupPositionInGrid, i, [i](S g, S) { return g[i]; }},
         {A::kThreadsPerGrid, i, always(kGrid[i])},
         {A::kGridSize, i, always(kGrid[i])},
         {A::kThreadsPerThreadgroup, i, [i](S g, S) { return group_size(g)[i]; }},
         {A::kThreadgroupsPerGrid, i, always((kGrid[i] + kThreads[i] - 1) / kThreads[i])},
         {A::kDispatchThreadsPerThreadgroup, i, always(kThreads[i])},
         {A::kGridOrigin, i, always(0)}});
  }
  return cases;
}

bool is_vector(const AttributeCase& item) {
  for (const AttributeCase& other : attribute_cases()) {
    if (other.attribute == item.attribute && other.component == 2) return true;
  }
  return false;
}

void check_attribute(const AttributeCase& item, uint32_t bytes, bool with_barrier,
                     unsigned optimisation) {
  std::string type = bytes == 2 ? "i16" : "i32";
  std::string parameter = is_vector(item) ? (bytes == 2 ? "ptr byval(%ushort3) align 8 %a"
                                                        : "ptr byval(%uint3) align 16 %a")
                                          : type + " %v";
  std::string text =
      "define void @k(ptr %out, i32 %x, ptr byval(%uint3) align 16 %p, " + parameter + ") {\n";
  if (is_vector(item)) {
    text += "  %s = getelementptr " + type + ", ptr %a, i64 " + std::to_string(item.component) +
            "\n  %v = load " + type + ", ptr %s\n";
  }
  if (with_barrier) text += "  call void @assay.barrier.threadgroup(i32 1)\n";
  text += R"(
  %py = getelementptr i32, ptr %p, i64 1
  %y = load i32, ptr %py
  %pz = getelementptr i32, ptr %p, i64 2
  %z = load i32, ptr %pz
  %zy = mul i32 %z, 5
  %row = add i32 %zy, %y
  %start = mul i32 %row, 7
  %index = add i32 %start, %x
  %wide = zext i32 %index to i64
  %slot = getelementptr i32, ptr %out, i64 %wide
)";
  text += bytes == 2 ? "  %w = zext i16 %v to i32\n  store i32 %w, ptr %slot\n"
                     : "  store i32 %v, ptr %slot\n";
  text += "  ret void\n}\n";
  BuildOutput output = testing::build(
      kDeclarations + text,
      kernel_info({buffer("out", 0), attribute(ThreadAttribute::kThreadPositionInGrid),
                   attribute(ThreadAttribute::kThreadPositionInGrid, 3),
                   attribute(item.attribute, is_vector(item) ? 3 : 1, bytes)}),
      testing::checked_options(optimisation));
  EXPECT_EQ(output.image.form, with_barrier ? ExecutionForm::kResumable : ExecutionForm::kPlain);
  std::vector<uint32_t> out(count(kGrid), 12345);
  run(output.image, {.grid = kGrid, .threadgroup = kThreads, .buffers = {out.data()}});
  for (uint32_t i = 0; i < out.size(); ++i) {
    testing::Size at = {i % 7, i / 7 % 5, i / 35}, group, position;
    for (int axis = 0; axis < 3; ++axis) {
      group[axis] = at[axis] / kThreads[axis];
      position[axis] = at[axis] % kThreads[axis];
    }
    ASSERT_EQ(out[i], item.expected(group, position))
        << "attribute " << int(item.attribute) << "[" << item.component << "] bytes " << bytes
        << " thread " << i;
  }
}

TEST(Attributes, are_right_in_plain_kernels_as_uint_and_ushort) {
  for (const AttributeCase& item : attribute_cases()) {
    check_attribute(item, 4, false, 2);
    check_attribute(item, 2, false, 2);
  }
}

TEST(Attributes, are_right_in_resumable_kernels) {
  for (const AttributeCase& item : attribute_cases()) check_attribute(item, 4, true, 1);
}

}  // namespace
}  // namespace assay::codegen
