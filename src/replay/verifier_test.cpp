#include "replay/verifier.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "replay/testing/captured_program.h"
#include "trace/stored_hash.h"

namespace assay::replay {
namespace {

using device::Bindings;
using testing::CapturedProgram;
using testing::change;
using testing::expect_verified;
using testing::replay_error;
using testing::replay_file;

constexpr const char* kScale =
    "kernel void k(device const float* x, device float* y, constant uint& n,\n"
    "              uint i [[thread_position_in_grid]]) {\n"
    "  if (i < n) y[i] = 3 * x[i];\n"
    "}\n";

std::vector<float> numbers(size_t size) {
  std::vector<float> values(size);
  for (size_t i = 0; i < size; ++i) values[i] = static_cast<float>(i % 13) + 0.5F;
  return values;
}

kernel::ArrayDescription matrix(uint32_t slot, int64_t rows, int64_t columns, int64_t row_stride) {
  return {.slot = slot,
          .name = "result",
          .dtype = "float32",
          .shape = {rows, columns},
          .strides = {row_stride, 1},
          .low = 0,
          .high = ((rows - 1) * row_stride + columns) * 4};
}

msl::Source source(const std::string& text) {
  return {"new.metal", "#include <metal_stdlib>\nusing namespace metal;\n" + text};
}

// Two dispatches, x → y → z, with 7 rows of 11.
std::string capture_chain(CapturedProgram& program) {
  const auto kernel = program.kernel(kScale);
  const auto x = program.buffer(numbers(77), "x"), y = program.buffer(numbers(77), "y"),
             z = program.buffer(numbers(77), "z");
  program.run(kernel, Bindings().buffer(0, x).buffer(1, y).value(2, 77U), 77,
              {"Scale", "model.py:3", {matrix(1, 7, 11, 11)}});
  program.run(kernel, Bindings().buffer(0, y).buffer(1, z).value(2, 77U), 77,
              {"Scale", "model.py:4", {matrix(1, 7, 11, 11)}});
  return program.finish();
}

TEST(Verifier, finds_the_first_element_that_another_kernel_changes) {
  CapturedProgram program;
  const std::string path = capture_chain(program);
  const Report report = replay_file(
      path,
      {.replacements = {{"k", source("kernel void k(device const float* x, device float* y,\n"
                                     "    constant uint& n, uint i [[thread_position_in_grid]]) {\n"
                                     "  if (i < n) y[i] = i % 23 == 22 ? 0.0f : 3 * x[i];\n"
                                     "}\n")}}});
  EXPECT_EQ(report.commands, 2U);
  // Both have what the last writer of their buffers left, and the second starts from that.
  EXPECT_EQ(report.count(Outcome::kDiffers), 2U);
  ASSERT_EQ(report.differences.size(), 2U);
  const Difference& first = report.differences[0];
  EXPECT_EQ(first.command.id, 1);
  EXPECT_EQ(first.command.name, "k");
  EXPECT_EQ(first.command.label, "Scale");
  EXPECT_EQ(first.command.site, "model.py:3");
  EXPECT_EQ(first.slot, 1U);
  EXPECT_EQ(first.argument, "y");
  EXPECT_EQ(first.buffer_label, "y");
  ASSERT_TRUE(first.place);
  EXPECT_EQ(first.place->index, 22);
  EXPECT_EQ(first.place->coordinates, (std::vector<int64_t>{2, 0}));
  EXPECT_EQ(first.place->comparison.captured, "28.5");
  EXPECT_EQ(first.place->comparison.replayed, "0");
  EXPECT_EQ(first.place->comparison.differing, 3U);
  EXPECT_EQ(first.place->comparison.elements, 77U);
  EXPECT_TRUE(first.repeats);
  // 3 · 28.5 in the chain: the difference of the first is not seen again in the second.
  EXPECT_EQ(report.differences[1].place->comparison.captured, "85.5");
  EXPECT_EQ(report.differences[1].place->comparison.differing, 3U);
}

TEST(Verifier, finds_a_result_that_was_changed_in_the_document) {
  CapturedProgram program;
  const auto kernel = program.kernel(kScale);
  const auto x = program.buffer(numbers(150), "x"), y = program.buffer(numbers(150), "y");
  // Rows of 11 with 3 more between them; the slot points 5 elements into the buffer.
  program.run(kernel, Bindings().buffer(0, x).buffer(1, y, 20).value(2, 100U), 100,
              {"Scale", "", {matrix(1, 7, 11, 14)}});
  const std::string path = program.finish();
  const int64_t element = 5 + 3 * 14 + 9;  // row 3, column 9
  std::vector<float> wrong = numbers(150);
  for (size_t i = 0; i < 100; ++i) wrong[i + 5] = 3 * numbers(150)[i];
  const float right = wrong[static_cast<size_t>(element)];
  wrong[static_cast<size_t>(element)] = std::nextafter(std::nextafter(right, 1e9F), 1e9F);
  const auto bytes = std::as_bytes(std::span(wrong));
  const auto hex = [](std::span<const std::byte> all) {
    std::string text;
    for (const std::byte each : all) text += fmt::format("{:02x}", static_cast<int>(each));
    return text;
  };
  const auto hash = [&](std::span<const std::byte> all) {
    return hex(trace::store_hash(base::hash_content(all)));
  };
  change(path,
         fmt::format("UPDATE contents SET hash=x'{}', data=x'{}', encoding=0 WHERE id="
                     "(SELECT last_content FROM buffers WHERE last_writer=1);"
                     "UPDATE bindings SET result=x'{}' WHERE slot=1",
                     hash(bytes), hex(bytes), hash(bytes.subspan(20, ((7 - 1) * 14 + 11) * 4))));
  const Report report = replay_file(path);
  ASSERT_EQ(report.differences.size(), 1U);
  const Difference& found = report.differences[0];
  ASSERT_TRUE(found.place);
  EXPECT_EQ(found.place->index, element - 5);
  EXPECT_EQ(found.place->coordinates, (std::vector<int64_t>{3, 9}));
  EXPECT_EQ(found.place->comparison.differing, 1U);
  EXPECT_EQ(found.place->comparison.max_ulps, 2U);
  EXPECT_EQ(found.array->name, "result");
}

TEST(Verifier, tells_a_difference_of_unknown_place_once) {
  CapturedProgram program;
  const auto kernel = program.kernel(kScale);
  const auto x = program.buffer(numbers(77), "x"), y = program.buffer(numbers(77), "y");
  // What the first two leave is overwritten: only hashes of it are in the document.
  for (const auto& [from, to] : {std::pair(x, y), std::pair(y, x), std::pair(x, y)}) {
    program.run(kernel, Bindings().buffer(0, from).buffer(1, to).value(2, 77U), 77);
  }
  program.run(kernel, Bindings().buffer(0, y).buffer(1, x).value(2, 77U), 77);
  const std::string path = program.finish();
  change(path,
         "UPDATE bindings SET result=x'00112233445566778899aabbccddeeff' "
         "WHERE command=1 AND slot=1");
  const Report report = replay_file(path);
  ASSERT_EQ(report.differences.size(), 1U);
  EXPECT_EQ(report.differences[0].command.id, 1);
  EXPECT_FALSE(report.differences[0].place);
  EXPECT_EQ(report.count(Outcome::kVerified), 3U);
}

TEST(Verifier, does_not_blame_commands_that_read_a_difference) {
  CapturedProgram program;
  const auto kernel = program.kernel(kScale);
  const auto other = program.kernel(
      "kernel void first(device const float* x, device float* y, constant uint& n,\n"
      "                  uint i [[thread_position_in_grid]]) {\n"
      "  if (i < n) y[i] = 3 * x[i];\n"
      "}\n",
      "first");
  const auto x = program.buffer(numbers(77), "x"), y = program.buffer(numbers(77), "y"),
             z = program.buffer(numbers(77), "z");
  program.run(other, Bindings().buffer(0, x).buffer(1, y).value(2, 77U), 77);
  program.run(kernel, Bindings().buffer(0, y).buffer(1, z).value(2, 77U), 77);
  program.run(kernel, Bindings().buffer(0, x, 4).buffer(1, y).value(2, 76U), 77);
  program.run(kernel, Bindings().buffer(0, x).buffer(1, y).value(2, 77U), 77);
  program.run(kernel, Bindings().buffer(0, y, 4).buffer(1, y).value(2, 5U), 77);
  const std::string path = program.finish();
  const Report report = replay_file(
      path, {.replacements = {
                 {"first", source("kernel void first(device const float* x, device float* y,\n"
                                  "    constant uint& n, uint i [[thread_position_in_grid]]) {\n"
                                  "  if (i < n) y[i] = 4 * x[i];\n"
                                  "}\n")}}});
  ASSERT_EQ(report.differences.size(), 1U);
  EXPECT_EQ(report.differences[0].command.id, 1);
  EXPECT_EQ(report.count(Outcome::kFollows), 2U);  // z, and the last element of y
  EXPECT_EQ(report.count(Outcome::kVerified), 2U);
}

TEST(Verifier, compares_float_atomics_within_the_tolerance) {
  CapturedProgram program;
  const auto kernel = program.kernel(
      "kernel void k(device const float* x, device atomic_float* sum,\n"
      "              uint i [[thread_position_in_grid]]) {\n"
      "  atomic_fetch_add_explicit(&sum[i % 3], x[i], memory_order_relaxed);\n"
      "}\n");
  const auto x = program.buffer(numbers(100'000)), sum = program.buffer(std::vector<float>(3));
  program.run(kernel, Bindings().buffer(0, x).buffer(1, sum), 100'000);
  const std::string path = program.finish();
  const Report report = replay_file(path);
  EXPECT_EQ(report.verified(), 1U);
  EXPECT_FALSE(report.has_differences());
  // A sum that is really another one is found.
  const std::string text =
      "kernel void k(device const float* x, device atomic_float* sum,\n"
      "              uint i [[thread_position_in_grid]]) {\n"
      "  if (i != 17) atomic_fetch_add_explicit(&sum[i % 3], x[i], memory_order_relaxed);\n"
      "}\n";
  const Report wrong = replay_file(path, {.replacements = {{"k", source(text)}}});
  ASSERT_EQ(wrong.differences.size(), 1U);
  EXPECT_EQ(wrong.differences[0].dtype, "float32");
  const Report tolerant =
      replay_file(path, {.replacements = {{"k", source(text)}}, .tolerance = 1e-2});
  EXPECT_EQ(tolerant.count(Outcome::kWithinTolerance), 1U);
  ASSERT_EQ(tolerant.tolerated.size(), 1U);
}

TEST(Verifier, compares_atomics_between_commands) {
  CapturedProgram program;
  const auto sum_up = program.kernel(
      "kernel void sum_up(device const float* x, device atomic_float* sum,\n"
      "                   uint i [[thread_position_in_grid]]) {\n"
      "  atomic_fetch_add_explicit(&sum[i % 3], x[i], memory_order_relaxed);\n"
      "}\n",
      "sum_up");
  const auto scale = program.kernel(kScale);
  const auto x = program.buffer(numbers(10'007)), sum = program.buffer(std::vector<float>(3)),
             y = program.buffer(std::vector<float>(3));
  program.run(sum_up, Bindings().buffer(0, x).buffer(1, sum), 10'007);
  program.run(scale, Bindings().buffer(0, sum).buffer(1, y).value(2, 3U), 32);
  // Only a hash would be left of the first sums.
  program.run(scale, Bindings().buffer(0, y).buffer(1, sum).value(2, 3U), 32);
  const Report report = replay_file(
      program.finish(),
      {.replacements = {{"sum_up", source("kernel void sum_up(device const float* x,\n"
                                          "    device atomic_float* sum,\n"
                                          "    uint i [[thread_position_in_grid]]) {\n"
                                          "  const float more = x[i] + (i == 0 ? 0.004f : 0.0f);\n"
                                          "  atomic_fetch_add_explicit(&sum[i % 3], more,\n"
                                          "                            memory_order_relaxed);\n"
                                          "}\n")}}});
  EXPECT_EQ(report.count(Outcome::kWithinTolerance), 1U);
  EXPECT_EQ(report.count(Outcome::kVerified), 2U);
}

TEST(Verifier, names_kernels_and_arguments_that_a_replacement_does_not_fit) {
  CapturedProgram program;
  const std::string path = capture_chain(program);
  EXPECT_EQ(replay_error(path, {.replacements = {{"q", source("")}}}),
            "no kernel 'q' is run; the kernels are: k");
  const std::string other = replay_error(
      path, {.replacements = {{"k", source("kernel void k(device const half* x, device float* y,\n"
                                           "    device int* z [[buffer(5)]]) { y[0] = *z; }\n")}}});
  EXPECT_NE(other.find("does not have the arguments of the captured one"), std::string::npos);
  EXPECT_NE(
      other.find("[[buffer(0)]]: captured 'const device float* x', given 'const device half* x'"),
      std::string::npos)
      << other;
  EXPECT_NE(other.find("[[buffer(5)]]: 'device int* z' is new"), std::string::npos) << other;
  EXPECT_NE(other.find("[[buffer(2)]]: 'constant uint& n' is missing"), std::string::npos) << other;
  const std::string name =
      replay_error(path, {.replacements = {{"k", source("kernel void other() {}\n")}}});
  EXPECT_NE(name.find("no kernel 'k'; the source has: other"), std::string::npos) << name;
}

TEST(Verifier, reports_a_kernel_that_fails) {
  CapturedProgram program;
  const std::string path = capture_chain(program);
  const Report report = replay_file(
      path, {.replacements = {{"k", source("kernel void k(device const float* x, device float* y,\n"
                                           "    constant uint& n) {\n"
                                           "  y[0] = x[0] + n; ((device float*)16)[0] = 1;\n"
                                           "}\n")}}});
  EXPECT_EQ(report.count(Outcome::kFailed), 2U);
  ASSERT_EQ(report.differences.size(), 2U);
  EXPECT_FALSE(report.differences[0].error.empty());
}

}  // namespace
}  // namespace assay::replay
