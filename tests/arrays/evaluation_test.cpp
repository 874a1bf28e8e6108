// Evaluation: streams, errors and memory. Threads have a file of their own.
#include <assay/assay.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/arrays/reference.h"

namespace mx = assay;
using reference::make;
using reference::numbers;
using reference::values_of;

namespace {

TEST(Evaluation, streams_wait_for_what_they_read_from_each_other) {
  const mx::Stream first = mx::new_stream(mx::Device::gpu),
                   second = mx::new_stream(mx::Device::gpu);
  mx::array a = make(numbers(100001), {100001});
  a.eval();
  for (int round = 0; round < 20; ++round) {
    const mx::array left = mx::exp(mx::sin(a, first), first);
    const mx::array right = mx::cos(left, second);
    mx::array joined = mx::add(mx::multiply(left, right, first), a, second);
    const mx::array expected = mx::exp(mx::sin(a));
    ASSERT_TRUE(mx::array_equal(joined, expected * mx::cos(expected) + a).item<bool>());
  }
  mx::synchronize(first);
  mx::synchronize(second);
}

TEST(Evaluation, errors_name_the_op_its_inputs_and_both_lines) {
  const auto kernel = mx::fast::metal_kernel("broken", {"a"}, {"out"}, "out[0] = nothing;");
  const mx::array out = kernel({mx::arange(0.0, 9.0)}, {{1}}, {mx::float32}, {1, 1, 1}, {1, 1, 1},
                               {}, std::nullopt, false, {})[0];
  const mx::array unrelated = mx::arange(4);
  try {
    mx::eval(out + mx::array(1.0f), unrelated);
    FAIL() << "evaluated";
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("custom_kernel_broken"), std::string::npos) << text;
    EXPECT_NE(text.find("float32(9,)"), std::string::npos) << text;
    EXPECT_NE(text.find("created at"), std::string::npos) << text;
    EXPECT_NE(text.find("evaluated at"), std::string::npos) << text;
    EXPECT_NE(text.find("evaluation_test.cpp"), std::string::npos) << text;
  }
  EXPECT_EQ(values_of(unrelated), (std::vector<double>{0, 1, 2, 3}));
  // The same error again, not a crash.
  EXPECT_THROW(mx::eval(out), std::runtime_error);
}

// Reads and writes far outside of its buffers.
mx::array wild_kernel(const mx::array& a) {
  const auto kernel = mx::fast::metal_kernel(
      "wild", {"a"}, {"out"}, "out[0] = a[ulong(thread_position_in_grid.x + 1) << 40];");
  return kernel({a}, {a.shape()}, {mx::float32}, {1, 1, 1}, {1, 1, 1}, {}, std::nullopt, false,
                {})[0];
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Evaluation, a_kernel_that_crashes_is_named_with_both_lines) {
  const mx::array a = make(numbers(37), {37});
  const mx::array before = mx::exp(a);
  const mx::array out = wild_kernel(a);
  const mx::array made_from_it = mx::sin(out + mx::array(1.0f));
  const mx::array behind = mx::cos(a) * mx::array(2.0f);
  const std::string text = message_of([&] { mx::eval(before, made_from_it, behind); });
  EXPECT_NE(text.find("in custom_kernel_wild"), std::string::npos) << text;
  EXPECT_NE(text.find("(float32(37,))"), std::string::npos) << text;
  EXPECT_NE(text.find("created at"), std::string::npos) << text;
  EXPECT_NE(text.find("evaluated at"), std::string::npos) << text;
  EXPECT_NE(text.find("evaluation_test.cpp"), std::string::npos) << text;
  // Arrays of the same submission that have nothing to do with it.
  EXPECT_EQ(values_of(before), values_of(mx::exp(a)));
  EXPECT_EQ(values_of(behind), values_of(mx::cos(a) * mx::array(2.0f)));
}

TEST(Evaluation, what_is_made_from_a_failed_array_fails_too) {
  const mx::array a = make(numbers(37), {37});
  const mx::array out = wild_kernel(a);
  mx::async_eval(out);
  const mx::Stream other = mx::new_stream(mx::Device::gpu);
  const mx::array later = mx::add(out, a, other);
  // The first of the two that comes behind the failure.
  const std::string text = message_of([&] {
    mx::async_eval(later);
    mx::array(later).wait();
  });
  EXPECT_NE(text.find("in custom_kernel_wild"), std::string::npos) << text;
  EXPECT_NE(message_of([&] { mx::eval(later * later); }).find("wild"), std::string::npos);
  EXPECT_EQ(values_of(mx::add(a, a, other)), values_of(a + a));
}

TEST(Evaluation, many_small_evaluations_keep_memory_flat) {
  mx::array a = mx::ones({16});
  a.eval();
  auto run = [&](int rounds) {
    for (int i = 0; i < rounds; ++i) {
      mx::array b = a + a;
      b.eval();
    }
  };
  run(1000);
  const size_t before = mx::get_active_memory();
  run(20000);
  EXPECT_EQ(mx::get_active_memory(), before);
}

TEST(Evaluation, chains_reuse_the_memory_of_values_nobody_needs) {
  const int count = 1 << 20;
  mx::array a = mx::ones({count});
  a.eval();
  mx::clear_cache();
  mx::reset_peak_memory();
  const size_t before = mx::get_active_memory();
  mx::array b = a;
  for (int i = 0; i < 50; ++i) b = b + mx::array(1.0f);
  b.eval();
  EXPECT_LT(mx::get_peak_memory(), before + 4 * sizeof(float) * count);
  EXPECT_EQ(mx::max(b).item<float>(), 51.0f);
  EXPECT_EQ(mx::max(a).item<float>(), 1.0f);
}

// The message of what `work` throws.
template <typename Work>
std::string message_of(Work work) {
  try {
    work();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(Evaluation, errors_name_the_line_that_evaluates) {
  const auto broken = mx::fast::metal_kernel("broken", {"x"}, {"out"}, "out[0] = y;");
  const auto make_broken = [&] {
    return broken({mx::ones({1})}, {{1}}, {mx::float32}, {1, 1, 1}, {1, 1, 1}, {}, std::nullopt,
                  false, {})[0];
  };
  const auto line_behind = [](int line) {
    return "evaluated at " __FILE__ ":" + std::to_string(line + 1);
  };
  const std::string one = line_behind(__LINE__);
  const std::string told_one = message_of([&] { mx::eval(make_broken()); });
  EXPECT_NE(told_one.find(one), std::string::npos) << told_one;
  const std::string two = line_behind(__LINE__);
  const std::string told_two = message_of([&] { mx::eval(mx::ones({1}), make_broken()); });
  EXPECT_NE(told_two.find(two), std::string::npos) << told_two;
}

TEST(Evaluation, async_results_are_there_after_waiting) {
  mx::array a = mx::exp(make(numbers(5000), {5000}));
  mx::async_eval(a);
  a.wait();
  EXPECT_TRUE(a.is_available());
}

}  // namespace
