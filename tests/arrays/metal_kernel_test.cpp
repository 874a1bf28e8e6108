// Kernels written by the user.
#include <assay/assay.h>
#include <gtest/gtest.h>

#include "tests/arrays/reference.h"

namespace mx = assay;
using reference::values_of;

namespace {

TEST(MetalKernel, runs_a_body_with_a_template_argument) {
  const auto kernel = mx::fast::metal_kernel("myexp", {"inp"}, {"out"}, R"(
    uint elem = thread_position_in_grid.x;
    T tmp = inp[elem];
    out[elem] = metal::exp(tmp);
  )");
  const mx::array a = mx::arange(0.0, 1.0, 0.0999);
  const int n = static_cast<int>(a.size());
  const std::vector<mx::array> out = kernel({a}, {a.shape()}, {mx::float32}, {n, 1, 1}, {256, 1, 1},
                                            {{"T", mx::float32}}, std::nullopt, false, {});
  const std::vector<double> result = values_of(out[0]);
  for (int i = 0; i < n; ++i) EXPECT_NEAR(result[i], std::exp(0.0999f * float(i)), 1e-5f);
}

TEST(MetalKernel, sees_strides_of_inputs_that_are_not_copied) {
  const auto kernel = mx::fast::metal_kernel("strided", {"inp"}, {"out"}, R"(
    uint elem = thread_position_in_grid.x;
    uint loc = elem_to_loc(elem, inp_shape, inp_strides, inp_ndim);
    out[elem] = inp[loc] + inp_ndim;
  )",
                                             "", false);
  const mx::array a = mx::transpose(mx::reshape(mx::arange(0, 35), {5, 7}));
  const std::vector<double> result = values_of(
      kernel({a}, {{35}}, {mx::int32}, {35, 1, 1}, {32, 1, 1}, {}, std::nullopt, false, {})[0]);
  for (int i = 0; i < 35; ++i) EXPECT_EQ(result[i], i % 5 * 7 + i / 5 + 2) << i;
}

TEST(MetalKernel, knows_the_shapes_of_its_outputs) {
  const auto kernel = mx::fast::metal_kernel("doubled", {"x"}, {"out"}, R"(
    uint i = thread_position_in_grid.x;
    if (i < out_shape[0]) { out[i] = x[i] * 2.0f; }
  )");
  const std::vector<double> result =
      values_of(kernel({mx::arange(0.0, 10.0)}, {{10}}, {mx::float32}, {16, 1, 1}, {8, 1, 1}, {},
                       std::nullopt, false, {})[0]);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(result[i], 2.0 * i);
}

TEST(MetalKernel, starts_from_the_initial_value_and_adds_atomically) {
  const auto kernel = mx::fast::metal_kernel(
      "count", {"step"}, {"out"},
      "atomic_fetch_add_explicit(&out[thread_position_in_grid.x % 3], step, memory_order_relaxed);",
      "", true, true);
  const std::vector<double> result = values_of(kernel(
      {mx::array(0.5f)}, {{3}}, {mx::float32}, {30, 1, 1}, {8, 1, 1}, {}, 1.0f, false, {})[0]);
  EXPECT_EQ(result, (std::vector<double>{6, 6, 6}));
}

TEST(MetalKernel, is_checked_while_this_thread_asks_for_it) {
  const auto kernel = mx::fast::metal_kernel(
      "far", {"x"}, {"out"}, "uint i = thread_position_in_grid.x; out[i] = x[i + 1];");
  auto run = [&] {
    mx::eval(kernel({mx::zeros({20})}, {{20}}, {mx::float32}, {20, 1, 1}, {8, 1, 1}, {},
                    std::nullopt, false, {}));
  };
  EXPECT_NO_THROW(run());
  {
    const mx::fast::CheckedCalls checked;
    try {
      run();
      ADD_FAILURE() << "nothing was found";
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("[bounds-read]"), std::string::npos) << error.what();
    }
    const mx::fast::CheckedCalls inner("races");
    EXPECT_NO_THROW(run());
  }
  EXPECT_NO_THROW(run());
  const mx::fast::CheckedCalls wrong("nothing like that");
  EXPECT_THROW(run(), std::invalid_argument);
}

TEST(MetalKernel, shows_the_users_own_line_when_a_body_does_not_compile) {
  const auto kernel = mx::fast::metal_kernel("broken", {"inp"}, {"out"},
                                             "uint i = thread_position_in_grid.x;\n"
                                             "out[i] = inp[i] * scale;\n");
  mx::array out = kernel({mx::arange(9)}, {{9}}, {mx::int32}, {9, 1, 1}, {9, 1, 1}, {},
                         std::nullopt, false, {})[0];
  try {
    out.eval();
    FAIL() << "compiled";
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("source:2:19"), std::string::npos) << text;
    EXPECT_NE(text.find("scale"), std::string::npos) << text;
    EXPECT_NE(text.find("created at"), std::string::npos) << text;
  }
  // Nothing else is affected.
  EXPECT_EQ(values_of(mx::arange(2)), (std::vector<double>{0, 1}));
}

TEST(MetalKernel, refuses_calls_that_cannot_run) {
  const auto kernel = mx::fast::metal_kernel("k", {"a"}, {"o"}, "o[0] = a[0];");
  auto call = [&](std::vector<mx::array> inputs, std::tuple<int, int, int> grid,
                  std::tuple<int, int, int> group) {
    std::vector<mx::array> out =
        kernel(inputs, {{1}}, {mx::float32}, grid, group, {}, std::nullopt, false, {});
    out[0].eval();
  };
  const mx::array a({1.0f});
  EXPECT_THROW(call({}, {1, 1, 1}, {1, 1, 1}), std::invalid_argument);
  EXPECT_THROW(call({a}, {0, 1, 1}, {1, 1, 1}), std::invalid_argument);
  EXPECT_THROW(call({a}, {1, 1, 1}, {1025, 1, 1}), std::invalid_argument);
  EXPECT_THROW(mx::fast::metal_kernel("k", {"a"}, {}, ""), std::invalid_argument);
}

}  // namespace
