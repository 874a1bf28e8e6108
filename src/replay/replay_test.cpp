#include "replay/replay.h"

#include <gtest/gtest.h>

#include <numeric>

#include "replay/buffer_table.h"
#include "replay/testing/captured_program.h"

namespace assay::replay {
namespace {

using device::Bindings;
using testing::CapturedProgram;
using testing::change;
using testing::expect;
using testing::expect_verified;
using testing::replay_error;
using testing::replay_file;
using testing::take;

constexpr const char* kAxpy =
    "kernel void k(device const float* x, device float* y, constant float& a, constant uint& n,\n"
    "              uint i [[thread_position_in_grid]]) {\n"
    "  if (i < n) y[i] = a * x[i] + y[i];\n"
    "}\n";

std::vector<float> ramp(size_t size, float step = 0.1F) {
  std::vector<float> values(size);
  for (size_t i = 0; i < size; ++i) values[i] = step * static_cast<float>(i) - 1;
  return values;
}

device::CommandLabels labels(std::vector<kernel::ArrayDescription> arrays = {}) {
  return {"Axpy", "model.py:12", std::move(arrays)};
}

kernel::ArrayDescription array(uint32_t slot, std::vector<int64_t> shape) {
  kernel::ArrayDescription described{.slot = slot, .name = "", .dtype = "float32", .shape = shape};
  int64_t stride = 1;
  described.strides.resize(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    described.strides[i] = stride;
    stride *= shape[i];
  }
  described.high = stride * 4;
  return described;
}

// y = 0.5 x + y, `times` times, on arrays of 7 rows.
void run_axpy(CapturedProgram& program, uint32_t columns, int times) {
  const uint32_t size = 7 * columns;
  const auto kernel = program.kernel(kAxpy);
  const auto x = program.buffer(ramp(size), "x");
  const auto y = program.buffer(ramp(size, 0.25F), "y");
  for (int i = 0; i < times; ++i) {
    program.run(kernel, Bindings().buffer(0, x).buffer(1, y).value(2, 0.5F).value(3, size), size,
                labels({array(0, {7, columns}), array(1, {7, columns})}));
  }
}

TEST(Replay, verifies_dispatches_of_odd_sizes) {
  for (const uint32_t columns : {1U, 3U, 11U, 149U}) {
    CapturedProgram program;
    run_axpy(program, columns, 3);
    const Report report = replay_file(program.finish());
    expect_verified(report, 3);
    EXPECT_EQ(report.kernels, 1U);
    EXPECT_EQ(report.buffers, 2U);
  }
}

TEST(Replay, verifies_parts_of_buffers) {
  CapturedProgram program;
  const auto kernel = program.kernel(kAxpy);
  const auto both = program.buffer(ramp(1000));
  program.run(
      kernel,
      Bindings().buffer(0, both, 4 * 3).buffer(1, both, 4 * 513).value(2, 2.0F).value(3, 97U), 128,
      labels());
  expect_verified(replay_file(program.finish()), 1);
}

TEST(Replay, verifies_fills_copies_and_matrix_products) {
  CapturedProgram program;
  const auto a = program.buffer(ramp(2 * 7 * 5), "a");
  const auto b = program.buffer(ramp(5 * 9), "b");
  const auto c = program.buffer(std::vector<float>(2 * 7 * 9 + 3), "c");
  auto commands = program.queue().command_buffer("mixed");
  expect(commands->fill(c, 5, 37, 0xA5));
  expect(commands->copy(
      {.source = a, .source_offset = 8, .target = a, .target_offset = 20, .bytes = 33}));
  device::MatrixProductCommand product;
  product.product = {
      .m = 7, .n = 9, .k = 5, .a = {false, 5}, .b = {false, 9}, .products = {{0, 0}, {35, 0}}};
  product.a = {a, 0};
  product.b = {b, 0};
  product.c = {c, 12};
  expect(commands->matrix_product(product));
  program.queue().submit(std::move(commands));
  expect(program.queue().wait());
  const Report report = replay_file(program.finish());
  expect_verified(report, 3);
}

TEST(Replay, verifies_products_of_matrices_before_the_bound_place) {
  CapturedProgram program;
  const auto a = program.buffer(ramp(2 * 7 * 5), "a");
  const auto b = program.buffer(ramp(5 * 9), "b");
  const auto c = program.buffer(std::vector<float>(2 * 7 * 9), "c");
  auto commands = program.queue().command_buffer("reversed");
  device::MatrixProductCommand product;
  product.product = {
      .m = 7, .n = 9, .k = 5, .a = {false, 5}, .b = {false, 9}, .products = {{0, 0}, {-35, 0}}};
  product.a = {a, 35 * sizeof(float)};
  product.b = {b, 0};
  product.c = {c, 0};
  expect(commands->matrix_product(product));
  product.product.products = {{0, 0}, {-36, 0}};
  EXPECT_FALSE(commands->matrix_product(product)) << "begins before the buffer";
  product.product.products = {{0, 0}, {1, 0}};
  EXPECT_FALSE(commands->matrix_product(product)) << "ends behind the buffer";
  program.queue().submit(std::move(commands));
  expect(program.queue().wait());
  expect_verified(replay_file(program.finish()), 1);
}

TEST(Replay, builds_kernels_with_their_constants_macros_and_math_mode) {
  CapturedProgram program;
  msl::CompileOptions options;
  options.defines = {{"STEP", "0.125f"}};
  options.math_mode = msl::MathMode::kFast;
  const auto kernel = program.kernel(
      "constant uint kTimes [[function_constant(3)]];\n"
      "constant bool kNegate [[function_constant(0)]];\n"
      "kernel void k(device float* y, uint i [[thread_position_in_grid]]) {\n"
      "  for (uint t = 0; t < kTimes; ++t) y[i] = exp(y[i]) * STEP;\n"
      "  if (kNegate) y[i] = -y[i];\n"
      "}\n",
      "k", {{3, "kTimes", {3, 0, 0, 0}}, {0, "kNegate", {1}}}, options);
  const auto y = program.buffer(ramp(67), "y");
  program.run(kernel, Bindings().buffer(0, y), 67);
  expect_verified(replay_file(program.finish()), 1);
}

TEST(Replay, lets_kernels_of_ours_compute_in_double) {
  CapturedProgram program;
  msl::CompileOptions options;
  options.allow_double = true;
  const auto kernel = program.kernel(
      "kernel void k(device float* y, uint i [[thread_position_in_grid]]) {\n"
      "  double x = double(y[i]) / 3.0;\n"
      "  y[i] = float(x * x);\n"
      "}\n",
      "k", {}, options);
  const auto y = program.buffer(ramp(41), "y");
  program.run(kernel, Bindings().buffer(0, y), 41);
  expect_verified(replay_file(program.finish()), 1);
}

TEST(Replay, gives_kernels_their_threadgroup_memory) {
  CapturedProgram program;
  const auto kernel = program.kernel(
      "kernel void k(device float* y, threadgroup float* shared [[threadgroup(0)]],\n"
      "              uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) "
      "{\n"
      "  shared[t] = y[i];\n"
      "  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
      "  y[i] = shared[31 - t];\n"
      "}\n");
  const auto y = program.buffer(ramp(96), "y");
  program.run(kernel, Bindings().buffer(0, y).threadgroup_memory(0, 32 * 4), 96);
  expect_verified(replay_file(program.finish()), 1);
}

TEST(Replay, keeps_the_order_between_queues) {
  CapturedProgram program;
  const auto kernel = program.kernel(kAxpy);
  const auto x = program.buffer(ramp(301), "x");
  const auto y = program.buffer(ramp(301, 0.5F), "y");
  const auto second = take(program.device().create_queue("second"));
  const auto event = program.device().create_event();
  auto bindings = [&] {
    return Bindings().buffer(0, x).buffer(1, y).value(2, 0.75F).value(3, 301U);
  };
  for (uint64_t round = 1; round <= 5; ++round) {
    auto first = program.queue().command_buffer();
    if (round > 1) expect(first->wait(event, 2 * round - 2));
    program.dispatch(*first, kernel, bindings(), 301);
    expect(first->signal(event, 2 * round - 1));
    auto behind = second->command_buffer();
    expect(behind->wait(event, 2 * round - 1));
    program.dispatch(*behind, kernel, bindings(), 301);
    expect(behind->signal(event, 2 * round));
    second->submit(std::move(behind));
    program.queue().submit(std::move(first));
  }
  expect(program.queue().wait());
  expect(second->wait());
  const Report report = replay_file(program.finish());
  expect_verified(report, 10);
  EXPECT_TRUE(report.notes.empty());
}

TEST(Replay, leaves_waits_out_whose_signals_are_not_there) {
  CapturedProgram program;
  const auto kernel = program.kernel(kAxpy);
  const auto x = program.buffer(ramp(33)), y = program.buffer(ramp(33));
  const auto event = program.device().create_event();
  event->signal(1);  // by the host
  auto commands = program.queue().command_buffer();
  expect(commands->wait(event, 1));
  program.dispatch(*commands, kernel,
                   Bindings().buffer(0, x).buffer(1, y).value(2, 1.0F).value(3, 33U), 33);
  program.queue().submit(std::move(commands));
  expect(program.queue().wait());
  const Report report = replay_file(program.finish());
  expect_verified(report, 1);
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_EQ(report.notes[0],
            "the signals that command 1 waits for are not in the document; it was left out");
}

TEST(Replay, says_when_nothing_was_captured) {
  CapturedProgram program;
  const Report report = replay_file(program.finish());
  expect_verified(report, 0);
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_NE(report.notes[0].find("nothing was submitted"), std::string::npos);
}

TEST(Replay, refuses_captures_without_contents) {
  for (const auto& [detail, name] : {std::pair(capture::Detail::kSkeleton, "skeleton"),
                                     std::pair(capture::Detail::kTimeline, "timeline")}) {
    capture::RecorderOptions options;
    options.detail = detail;
    CapturedProgram program(options);
    run_axpy(program, 3, 1);
    const std::string error = replay_error(program.finish());
    EXPECT_NE(error.find(std::string("is a ") + name + " capture"), std::string::npos) << error;
    EXPECT_NE(error.find("capture it again in full"), std::string::npos) << error;
  }
}

TEST(Replay, runs_what_a_range_needs_before_it) {
  CapturedProgram program;
  run_axpy(program, 11, 3);
  const auto kernel = program.kernel(kAxpy);
  const auto x = program.buffer(ramp(33)), y = program.buffer(ramp(33));
  program.run(kernel, Bindings().buffer(0, x).buffer(1, y).value(2, 1.0F).value(3, 33U), 33);
  program.finish();
  const std::string path = program.file("run.gputrace");
  const Report needing = replay_file(path, {.range = {3, 3}});
  expect_verified(needing, 1);
  EXPECT_EQ(needing.earlier, 2U);
  ASSERT_EQ(needing.notes.size(), 1U);
  EXPECT_NE(needing.notes[0].find("2 commands before 3 were run first"), std::string::npos);
  const Report alone = replay_file(path, {.range = {4, 9}});
  expect_verified(alone, 1);
  EXPECT_EQ(alone.earlier, 0U);
  EXPECT_TRUE(alone.notes.empty());
  EXPECT_NE(replay_error(path, {.range = {5, 9}}).find("go from 1 to 4"), std::string::npos);
}

TEST(Replay, times_commands_without_changing_what_they_leave) {
  CapturedProgram program;
  run_axpy(program, 11, 3);
  const Report report = replay_file(program.finish(), {.repeats = 5, .warm_ups = 2});
  expect_verified(report, 3);
  ASSERT_EQ(report.times.size(), 1U);
  EXPECT_EQ(report.times[0].name, "k");
  EXPECT_EQ(report.times[0].commands, 3U);
  EXPECT_GT(report.times[0].captured_ns, 0);
  EXPECT_GT(report.times[0].replayed_ns, 0);
  EXPECT_EQ(report.times[0].bytes, 3U * 3 * 7 * 11 * 4);  // x is read, y read and written
}

TEST(Replay, reads_what_a_program_that_died_left) {
  CapturedProgram program;
  run_axpy(program, 11, 3);
  const std::string path = program.finish();
  change(path, "DELETE FROM facts WHERE name='ended'");
  const Report report = replay_file(path);
  expect_verified(report, 3);
  ASSERT_EQ(report.notes.size(), 1U);
}

TEST(Replay, takes_a_document_in_which_nothing_is_yet) {
  CapturedProgram program;
  const std::string path = program.finish();
  change(path, "DELETE FROM facts");
  const Report report = replay_file(path);
  expect_verified(report, 0);
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_NE(report.notes[0].find("the program ended before the capture did"), std::string::npos);
}

TEST(Replay, believes_no_sizes_without_contents) {
  CapturedProgram program;
  run_axpy(program, 11, 1);
  const std::string path = program.finish();
  // Not backed by contents: no such document can make a replay allocate.
  change(path, "UPDATE buffers SET bytes=1099511627776");
  EXPECT_NE(replay_error(path).find("table 'buffers', row with id 1"), std::string::npos);
}

TEST(Replay, refuses_more_memory_than_the_device_has) {
  CapturedProgram program;
  run_axpy(program, 11, 1);
  const trace::Document document = take(trace::Document::open(program.finish()));
  const TraceTables tables = take(load_tables(document));
  ReplayPlan plan = take(make_plan(document, tables, {}));
  const auto device = testing::make_device();
  EXPECT_TRUE(BufferTable::create(document, tables, plan, *device));
  plan.peak_bytes = device->limits().total_memory_bytes;
  const Result<BufferTable> refused = BufferTable::create(document, tables, plan, *device);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("of memory (most of it at command 1)"), std::string::npos);
}

}  // namespace
}  // namespace assay::replay
